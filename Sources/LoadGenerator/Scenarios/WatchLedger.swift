/// What has come on one user's stream of transactions, compared with what the user has bought: each
/// event once, and none of somebody else's purchase.
struct WatchLedger {
  /// What an event tells: one change of one transaction.
  struct Event: Hashable, Sendable {
    var transaction: String
    var state: String
    var isFinished: Bool

    /// The event that a successful purchase ends with.
    static func purchased(_ transaction: String) -> Event {
      Event(transaction: transaction, state: "purchased", isFinished: false)
    }
  }

  /// By a hash, so that long loads stay small.
  private var seen: Set<Int> = []

  /// Transactions that events came of, and whose purchase isn't acknowledged: it may come later
  /// than its events.
  private var unacknowledged: Set<String> = []
  private var current: String?

  /// Purchases without a known outcome: their events may come at any time.
  private(set) var isUncertain = false

  /// Takes an event.
  ///
  /// - Returns: What is wrong with it; nil: nothing.
  mutating func take(_ event: Event) -> String? {
    guard seen.insert(event.hashValue).inserted else {
      return "the event \(event.state) of \(event.transaction) came a second time"
    }
    if event.transaction != current { unacknowledged.insert(event.transaction) }
    return nil
  }

  /// Whether an event has come.
  func has(_ event: Event) -> Bool { seen.contains(event.hashValue) }

  /// A purchase was acknowledged.
  mutating func acknowledged(_ transaction: String) {
    current = transaction
    unacknowledged.remove(transaction)
  }

  /// A purchase has failed; the service may have it all the same.
  mutating func lost() { isUncertain = true }

  /// The purchase's event has come: up to here nothing may be left over.
  ///
  /// - Returns: What is wrong; nil: nothing.
  mutating func settle() -> String? {
    defer { unacknowledged = [] }
    guard !isUncertain, let stranger = unacknowledged.first else { return nil }
    return "an event of \(stranger) came, which this user hasn't bought"
  }
}
