import OnsideDomain
import OnsideStore
import Synchronization

/// The keys that tokens are sealed and opened with, on all loops of a server. Each is in the store
/// before it is here.
public final class TokenKeyring: Sendable {
  private let keys = Mutex<[TokenKeyRecord]>([])
  private let counter = Atomic<UInt64>(0)

  public init() {}

  /// Grows with each change. A sealer compares it with what it has made its contexts of: a single
  /// load while nothing changes.
  var generation: UInt64 { counter.load(ordering: .acquiring) }

  /// All keys, newest first.
  var all: [TokenKeyRecord] { keys.withLock { $0 } }

  /// Takes the keys that the store has now.
  func replace(with stored: [TokenKeyRecord]) {
    let sorted = stored.sorted { ($0.sealsFrom, $0.id) > ($1.sealsFrom, $1.id) }
    let changed = keys.withLock { keys in
      defer { keys = sorted }
      return keys != sorted
    }
    if changed { counter.add(1, ordering: .releasing) }
  }
}

extension TokenKeyRecord {
  /// Whether a token sealed at `now` that lives until `expiry` may be sealed with this key.
  func seals(at now: Timestamp, until expiry: Timestamp) -> Bool {
    sealsFrom <= now && expiry <= opensUntil
  }
}
