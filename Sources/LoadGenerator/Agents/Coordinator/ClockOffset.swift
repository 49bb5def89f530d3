/// How far an agent's monotonic clock is ahead of the coordinator's, from round trips.
///
/// The agent read its clock somewhere between the question and the answer. In the middle is the
/// best guess, and half of the round trip the most that it can be wrong, so the quickest round trip
/// of several says most.
struct ClockOffset: Sendable, Equatable {
  /// One question, in nanoseconds.
  struct RoundTrip: Sendable {
    /// When the question went out, by the coordinator's clock.
    var sent: UInt64

    /// What the agent's clock said.
    var agent: UInt64

    /// When the answer was here, by the coordinator's clock.
    var received: UInt64
  }

  /// How many round trips are made.
  static let roundTrips = 16

  /// The agent's clock less the coordinator's, in nanoseconds; wraps around.
  let nanoseconds: UInt64

  /// How far from the truth that may be, in nanoseconds.
  let uncertainty: UInt64

  /// Nil if there is no round trip that makes sense.
  init?(_ trips: [RoundTrip]) {
    let sensible = trips.filter { $0.received >= $0.sent }
    guard let best = sensible.min(by: { $0.received - $0.sent < $1.received - $1.sent }) else {
      return nil
    }
    let half = (best.received - best.sent) / 2
    nanoseconds = best.agent &- (best.sent &+ half)
    uncertainty = best.received - best.sent - half
  }

  /// What the agent's clock says when the coordinator's says `instant`.
  func agentInstant(_ instant: UInt64) -> UInt64 { instant &+ nanoseconds }
}
