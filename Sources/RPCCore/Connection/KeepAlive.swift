/// The one PING that may be outstanding, and the liveness check built on it.
struct KeepAlive {
  /// Why a PING was sent.
  enum Purpose {
    case liveness
    case drain
    case application
  }

  private struct Outstanding {
    var value: UInt64
    var purpose: Purpose
    var deadline: MonotonicInstant
  }

  private var interval: Int64
  private let timeout: Int64
  private let withoutCalls: Bool
  private var lastReceived: MonotonicInstant
  private var outstanding: Outstanding?
  private var sequence: UInt64 = 0

  /// Whether a PING waits for its PONG.
  var isWaiting: Bool { outstanding != nil }

  init(_ policy: KeepAlivePolicy, now: MonotonicInstant) {
    interval = policy.interval.map { max(1, $0.saturatedNanoseconds) } ?? .max
    timeout = max(1, policy.timeout.saturatedNanoseconds)
    withoutCalls = policy.withoutCalls
    lastReceived = now
  }

  /// The peer accepts PINGs no more often than this.
  mutating func clamp(toPeerInterval nanoseconds: Int64) {
    interval = max(interval, nanoseconds)
  }

  mutating func received(_ now: MonotonicInstant) {
    lastReceived = now
  }

  /// When something is due.
  func nextDeadline(hasCalls: Bool) -> MonotonicInstant {
    if let outstanding { return outstanding.deadline }
    guard interval != .max, hasCalls || withoutCalls else { return .distantFuture }
    return lastReceived.advanced(byNanoseconds: interval)
  }

  /// The value for a new PING, which is then outstanding; nil when one is.
  mutating func begin(
    _ purpose: Purpose, value: UInt64? = nil, now: MonotonicInstant
  ) -> UInt64? {
    guard outstanding == nil else { return nil }
    sequence &+= 1  // only tells PINGs apart: may wrap
    let value = value ?? sequence
    outstanding = Outstanding(
      value: value, purpose: purpose, deadline: now.advanced(byNanoseconds: timeout))
    return value
  }

  /// Why the PING was sent that a PONG with this value answers; nil when it answers none.
  mutating func end(_ value: UInt64) -> Purpose? {
    guard let ping = outstanding, ping.value == value else { return nil }
    outstanding = nil
    return ping.purpose
  }

  /// Whether the peer has been silent for too long since the outstanding PING. Any frame counts as
  /// a sign of life: a PONG may wait behind a lot of data.
  mutating func isOverdue(_ now: MonotonicInstant) -> Bool {
    guard let ping = outstanding, ping.deadline <= now else { return false }
    let alive = lastReceived.advanced(byNanoseconds: timeout)
    guard alive > now else { return true }
    outstanding?.deadline = alive
    return false
  }

  /// Whether it is time for a liveness PING.
  func isDue(_ now: MonotonicInstant, hasCalls: Bool) -> Bool {
    outstanding == nil && nextDeadline(hasCalls: hasCalls) <= now
  }
}
