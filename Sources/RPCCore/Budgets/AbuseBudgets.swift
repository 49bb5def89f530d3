/// The rate budgets of a connection.
struct AbuseBudgets {
  let limits: AbuseLimits
  private let window: Int64
  private let cancelLimit: Int
  /// How much earlier than the server's clock a client's may end a call, which it started earlier:
  /// 100 ms.
  private static let timeoutSkew: Int64 = 100_000_000
  private var cancels = RateBudget()
  private var streamErrors = RateBudget()
  private var control = RateBudget()
  private var extensions = RateBudget()
  private var empty = RateBudget()
  private var late = RateBudget()
  private var pings = RateBudget()
  private var refused = RateBudget()
  /// Message frames sent that a CREDIT may answer.
  private var unansweredMessages = 0

  init(_ limits: AbuseLimits, concurrentCalls: Int) {
    self.limits = limits
    window = limits.window.saturatedNanoseconds
    // All calls of a client may time out at once, and the next ones right after them.
    cancelLimit = max(limits.cancels, 2 * min(concurrentCalls, 1_000_000))
  }

  /// A CANCEL took a call away that was running. One whose time is as good as over is free: it ends
  /// by itself, and its client's clock was first.
  mutating func spendCancel(due: MonotonicInstant, _ now: MonotonicInstant) -> Bool {
    due <= now.advanced(byNanoseconds: Self.timeoutSkew)
      || cancels.spend(limit: cancelLimit, window: window, now: now)
  }

  mutating func spendStreamError(_ now: MonotonicInstant) -> Bool {
    streamErrors.spend(limit: limits.streamErrors, window: window, now: now)
  }

  mutating func spendControl(_ now: MonotonicInstant) -> Bool {
    control.spend(limit: limits.controlFrames, window: window, now: now)
  }

  mutating func spendExtension(_ now: MonotonicInstant) -> Bool {
    extensions.spend(limit: limits.extensionFrames, window: window, now: now)
  }

  mutating func spendEmptyMessage(_ now: MonotonicInstant) -> Bool {
    empty.spend(limit: limits.emptyMessages, window: window, now: now)
  }

  mutating func spendLateFrame(_ now: MonotonicInstant) -> Bool {
    late.spend(limit: limits.lateFrames, window: window, now: now)
  }

  mutating func spendPing(_ now: MonotonicInstant) -> Bool {
    pings.spend(limit: limits.pings, window: window, now: now)
  }

  mutating func spendRefusedCall(_ now: MonotonicInstant) -> Bool {
    refused.spend(limit: limits.refusedCalls, window: window, now: now)
  }

  /// A frame with message bytes was written.
  mutating func sentMessageFrame() {
    if unansweredMessages < Int(Int32.max) { unansweredMessages += 1 }
  }

  /// A CREDIT arrived: free as the answer to a message frame, else a control frame.
  mutating func spendCredit(_ now: MonotonicInstant) -> Bool {
    if unansweredMessages > 0 {
      unansweredMessages -= 1
      return true
    }
    return spendControl(now)
  }
}
