import OnsideDomain

/// What happened to profiles, in its order.
struct ProfileEventLog {
  private struct Entry {
    let event: ProfileEvent
    let at: Timestamp
  }

  private var entries: [ProfileID: [Entry]] = [:]
  private var lastSequences: [ProfileID: Int64] = [:]

  mutating func append(_ change: ProfileEvent.Change, of profileID: ProfileID, at time: Timestamp) {
    let sequence = lastSequences[profileID, default: 0] + 1
    lastSequences[profileID] = sequence
    entries[profileID, default: []].append(
      Entry(event: ProfileEvent(sequence: sequence, change: change), at: time))
  }

  mutating func append(_ transaction: TransactionRecord) {
    append(.transaction(transaction), of: transaction.profileID, at: transaction.updatedAt)
  }

  func read(_ profileID: ProfileID, after position: Int64?, limit: Int) -> ProfileEventReading {
    let limit = min(max(limit, 1), 500)
    let last = lastSequences[profileID] ?? 0
    guard let position else {
      return .page(ProfileEventPage(events: [], position: last, hasMore: false))
    }
    let all = entries[profileID] ?? []
    // From the end: a watcher is nearly there.
    let start = all.lastIndex { $0.event.sequence <= position }.map { $0 + 1 } ?? 0
    let found = all[start...].prefix(limit + 1).map(\.event)
    return ProfileEventReading(found, after: position, last: last, limit: limit)
  }

  mutating func purge(before time: Timestamp, limit: Int) -> Int {
    var purged = 0
    for profileID in Array(entries.keys) where purged < limit {
      entries[profileID]?.removeAll { entry in
        guard purged < limit, entry.at < time else { return false }
        purged += 1
        return true
      }
    }
    return purged
  }
}
