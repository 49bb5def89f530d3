import OnsideDomain

/// The tracked events of one app, in the order in which they were taken.
struct TrackedEventLog {
  private struct Key: Hashable {
    let installation: ByteKey
    let event: ByteKey

    init(_ event: TrackedEventRecord) {
      installation = ByteKey(event.installationID)
      self.event = ByteKey(event.eventID)
    }
  }

  private var events: [TrackedEventRecord] = []

  /// So many at the front are forgotten; they are moved over from time to time.
  private var forgotten = 0
  private var known: Set<Key> = []

  /// Adds the events that aren't there; beyond the limit the oldest make room.
  ///
  /// - Returns: How many were new.
  mutating func add(_ new: [TrackedEventRecord], limit: Int) -> Int {
    var added = 0
    for event in new where known.insert(Key(event)).inserted {
      events.append(event)
      added += 1
    }
    removeFirst(max(events.count - forgotten - max(limit, 1), 0))
    return added
  }

  /// The last taken first.
  func last(_ limit: Int) -> [TrackedEventRecord] {
    events.dropFirst(forgotten).suffix(max(limit, 0)).reversed()
  }

  /// Forgets the oldest that were taken before `time`.
  ///
  /// - Returns: How many.
  mutating func purge(receivedBefore time: Timestamp, limit: Int) -> Int {
    let kept = events.dropFirst(forgotten)
    let old = kept.prefix(max(limit, 0)).prefix { $0.receivedAt < time }.count
    removeFirst(old)
    return old
  }

  private mutating func removeFirst(_ count: Int) {
    guard count > 0 else { return }
    for event in events.dropFirst(forgotten).prefix(count) { known.remove(Key(event)) }
    forgotten += count
    guard forgotten * 2 > events.count else { return }
    events.removeFirst(forgotten)
    forgotten = 0
  }
}
