/// How long the rest of a frame may take: a peer that sends a byte now and then mustn't hold a
/// connection, and what has come of the frame, for as long as it likes.
///
/// A frame that isn't whole may take `grace`, and beyond it the time that the bytes of it that have
/// come take at the minimum rate: who is slow but moves is waited for.
struct FrameProgress {
  private let grace: Int64
  private let nanosecondsPerByte: Int64
  private var start: MonotonicInstant?
  /// When the frame that has begun is given up; in the distant future when none has.
  private(set) var deadline = MonotonicInstant.distantFuture

  init(grace: Duration, bytesPerSecond: Int) {
    self.grace = max(1, grace.saturatedNanoseconds)
    nanosecondsPerByte = 1_000_000_000 / Int64(max(1, bytesPerSecond))
  }

  /// A frame has come whole: what waits from now on is of another one.
  mutating func frameEnded() {
    start = nil
  }

  /// After a read, `count` bytes wait for the rest of their frame; 0: none do.
  mutating func waiting(_ count: Int, now: MonotonicInstant) {
    guard count > 0 else {
      start = nil
      deadline = .distantFuture
      return
    }
    let start = self.start ?? now
    self.start = start
    let (earned, overflow) = Int64(count).multipliedReportingOverflow(by: nanosecondsPerByte)
    let (time, carry) = grace.addingReportingOverflow(earned)
    deadline = start.advanced(byNanoseconds: overflow || carry ? .max : time)
  }
}
