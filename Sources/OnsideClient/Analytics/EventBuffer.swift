/// Events that wait to be sent: bounded, oldest first.
struct EventBuffer {
  /// The most that wait; the oldest are left out then.
  static let capacity = 1_000

  /// The most in one call.
  static let batchSize = 100

  private var events: [TrackedEvent] = []

  /// How many were left out.
  private(set) var dropped = 0

  /// Whether somebody is sending.
  var isSending = false

  mutating func append(_ event: TrackedEvent) {
    events.append(event)
    let surplus = events.count - Self.capacity
    guard surplus > 0 else { return }
    events.removeFirst(surplus)
    dropped += surplus
  }

  /// What is sent next.
  var batch: [TrackedEvent] { Array(events.prefix(Self.batchSize)) }

  /// A batch was sent, or will never be taken.
  mutating func remove(_ batch: [TrackedEvent]) {
    let ids = Set(batch.map(\.id))
    events.removeAll { ids.contains($0.id) }
  }
}
