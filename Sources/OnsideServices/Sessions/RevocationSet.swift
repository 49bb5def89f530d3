import OnsideDomain
import OnsideStore
import Synchronization

/// The sessions that were ended before they expired, for all loops of a server.
///
/// While there are none, asking is one atomic load. Otherwise it takes the lock of one of 64 parts,
/// so that loops hardly ever meet. A revocation takes about 50 bytes.
public final class RevocationSet: Sendable {
  private final class Part: Sendable {
    let table = Mutex(Table())
  }

  private static let partCount = 64

  private let parts = (0..<partCount).map { _ in Part() }
  private let total = Atomic<Int>(0)

  public init() {}

  /// How many sessions are held.
  public var count: Int { total.load(ordering: .acquiring) }

  /// Whether the session was ended.
  public func contains(_ session: SessionID) -> Bool {
    guard total.load(ordering: .acquiring) > 0 else { return false }
    return part(session).table.withLock { $0.contains(session) }
  }

  /// Adds a session that is to be refused until it expires.
  public func insert(_ session: SessionID, expiresAt: Timestamp) {
    // Counted first: a reader that finds the count at 0 must not miss one that is in a table.
    total.add(1, ordering: .acquiringAndReleasing)
    let isNew = part(session).table.withLock { $0.insert(session, expiresAt.milliseconds) }
    if !isNew { total.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// Forgets the sessions that expired before `time`; answers how many.
  @discardableResult
  public func purge(expiredBefore time: Timestamp) -> Int {
    var purged = 0
    for part in parts {
      let gone = part.table.withLock { $0.purge(expiredBefore: time.milliseconds) }
      total.subtract(gone, ordering: .acquiringAndReleasing)
      purged += gone
    }
    return purged
  }

  private func part(_ session: SessionID) -> Part {
    parts[Int(session.high >> 58)]
  }
}

extension RevocationSet {
  /// Open addressing with linear probing. Session identifiers are random bits of our own, so their
  /// own bits place them: nobody can choose them.
  private struct Table {
    private struct Entry {
      var session = SessionID(high: 0, low: 0)
      var expiresAt: Int64 = 0

      /// No session has the identifier 0: it would take 2^128 attempts.
      var isEmpty: Bool { session.high == 0 && session.low == 0 }
    }

    private var entries: [Entry] = []
    private var count = 0

    func contains(_ session: SessionID) -> Bool {
      guard !entries.isEmpty else { return false }
      return !entries[place(of: session)].isEmpty
    }

    /// Answers whether the session is new.
    mutating func insert(_ session: SessionID, _ expiresAt: Int64) -> Bool {
      // At most three quarters are taken, so that each search ends at an empty place soon.
      if (count + 1) * 4 > entries.count * 3 { rebuild(room: max(entries.count * 2, 16)) }
      let place = place(of: session)
      guard entries[place].isEmpty else { return false }
      entries[place] = Entry(session: session, expiresAt: expiresAt)
      count += 1
      return true
    }

    mutating func purge(expiredBefore time: Int64) -> Int {
      let before = count
      let kept = entries.filter { !$0.isEmpty && $0.expiresAt >= time }
      guard kept.count < before else { return 0 }
      var room = 16
      while kept.count * 4 > room * 3 { room *= 2 }
      entries = kept
      rebuild(room: kept.isEmpty ? 0 : room)
      return before - kept.count
    }

    private func place(of session: SessionID) -> Int {
      let mask = entries.count - 1
      var place = Int(truncatingIfNeeded: session.low) & mask
      while !entries[place].isEmpty && entries[place].session != session {
        place = (place + 1) & mask
      }
      return place
    }

    /// Puts what is there into a table of `room` places, a power of two.
    private mutating func rebuild(room: Int) {
      let old = entries.filter { !$0.isEmpty }
      entries = [Entry](repeating: Entry(), count: room)
      for entry in old { entries[place(of: entry.session)] = entry }
      count = old.count
    }
  }
}
