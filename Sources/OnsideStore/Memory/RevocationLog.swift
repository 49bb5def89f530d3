import OnsideDomain

/// Revocations in the order in which they came.
struct RevocationLog {
  private struct Entry {
    let sequence: Int64
    let revocation: Revocation
  }

  private var entries: [Entry] = []
  private var sessions: Set<SessionID> = []
  private var lastSequence: Int64 = 0

  mutating func add(_ revocation: Revocation) {
    guard sessions.insert(revocation.sessionID).inserted else { return }
    lastSequence += 1
    entries.append(Entry(sequence: lastSequence, revocation: revocation))
  }

  func page(after position: RevocationPosition?, limit: Int) -> RevocationPage {
    let start = position?.sequence ?? 0
    let found = entries.lazy.filter { $0.sequence > start }.prefix(max(limit, 1) + 1)
    let page = found.prefix(max(limit, 1))
    return RevocationPage(
      revocations: page.map(\.revocation),
      position: RevocationPosition(sequence: page.last?.sequence ?? start),
      hasMore: found.count > page.count)
  }

  mutating func purge(expiredBefore time: Timestamp, limit: Int) -> Int {
    var purged = 0
    entries.removeAll { entry in
      guard purged < limit, entry.revocation.expiresAt < time else { return false }
      purged += 1
      sessions.remove(entry.revocation.sessionID)
      return true
    }
    return purged
  }
}
