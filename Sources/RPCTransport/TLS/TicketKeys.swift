import COpenSSL
import RPCCore
import Synchronization

/// The keys that seal a server's session tickets. Made by us and rotated, so that a key that leaks
/// opens only what was recorded within two rotations.
///
/// Tickets are made with the present key; those of the one before are still taken, and renewed.
final class TicketKeys: Sendable {
  struct Key {
    var name: [UInt8]
    var cipher: [UInt8]
    var mac: [UInt8]
    var made: MonotonicInstant

    static let nameBytes = 16

    init(at instant: MonotonicInstant) {
      var bytes = [UInt8](repeating: 0, count: Self.nameBytes + 64)
      precondition(RAND_bytes(&bytes, Int32(bytes.count)) == 1, "the system has no random bytes")
      name = Array(bytes[..<Self.nameBytes])
      cipher = Array(bytes[Self.nameBytes..<(Self.nameBytes + 32)])
      mac = Array(bytes[(Self.nameBytes + 32)...])
      made = instant
    }
  }

  private struct Keys {
    var current: Key
    var previous: Key?
  }

  private let keys: Mutex<Keys>
  /// Nanoseconds between rotations.
  let lifetime: Int64

  init(lifetime: Int64) {
    self.lifetime = lifetime
    keys = Mutex(Keys(current: Key(at: .current())))
  }

  /// Makes a new key; the present one becomes the previous one, and that is forgotten.
  func rotate(at instant: MonotonicInstant = .current()) {
    keys.withLock { keys in
      keys.previous = keys.current
      keys.current = Key(at: instant)
    }
  }

  /// Makes a new key and forgets all others: no earlier session can be resumed.
  func discardAll() {
    keys.withLock { $0 = Keys(current: Key(at: .current())) }
  }

  /// The key for a new ticket. Rotates if the present one has been used for long enough.
  func forNewTicket(at instant: MonotonicInstant = .current()) -> Key {
    keys.withLock { keys in
      let age = instant.nanoseconds(since: keys.current.made)
      if age >= lifetime {
        // After two lifetimes without a ticket the present key is too old to be a previous one.
        keys.previous = age < 2 * lifetime ? keys.current : nil
        keys.current = Key(at: instant)
      }
      return keys.current
    }
  }

  /// The key of a ticket that a client brings, and whether it is the present one. Nil: too old.
  func named(
    _ name: UnsafeBufferPointer<UInt8>, at instant: MonotonicInstant = .current()
  ) -> (key: Key, isCurrent: Bool)? {
    keys.withLock { keys in
      for (key, isCurrent) in [(keys.current, true)] + (keys.previous.map { [($0, false)] } ?? []) {
        guard key.name.elementsEqual(name),
          instant.nanoseconds(since: key.made) < 2 * lifetime
        else { continue }
        return (key, isCurrent)
      }
      return nil
    }
  }

  /// OpenSSL's question for a ticket key: 1 and 2 mean a key was set (2: the ticket is renewed), 0
  /// that there is none, negative an error.
  func prepare(
    name: UnsafeMutablePointer<UInt8>, iv: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer,
    mac: OpaquePointer, encrypt: Bool
  ) -> Int32 {
    if encrypt {
      let key = forNewTicket()
      name.update(from: key.name, count: Key.nameBytes)
      return copenssl_prepare_ticket(cipher, mac, key.cipher, key.mac, iv, true) ? 1 : -1
    }
    let given = UnsafeBufferPointer(start: name, count: Key.nameBytes)
    guard let (key, isCurrent) = named(given) else { return 0 }
    guard copenssl_prepare_ticket(cipher, mac, key.cipher, key.mac, iv, false) else { return -1 }
    return isCurrent ? 1 : 2
  }
}
