import CLinux
import Dispatch
public import RPCCore
import Synchronization

/// One thread's worth of connections: a level-triggered epoll loop that runs as one never-returning
/// block on its own serial dispatch queue, and an executor for tasks that belong to them.
///
/// A *pass* handles the descriptors that are ready, channels that were stopped by their read
/// budget, timers that are due and work that was handed in, in this order; at its end each channel
/// that has output gets one write. Channels, their handlers and timers are confined to their loop.
///
/// After ``EventLoopGroup/shutdown()`` the sockets are closed and the block ends, but the loop goes
/// on to run tasks that still prefer it, one by one on its queue.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
  /// Its number in its group, from 0.
  public let index: Int
  let queue: DispatchQueue
  let poller: Poller
  let inbox = LoopInbox()
  let scratch = InputScratch()
  /// How long it polls before it blocks, in nanoseconds.
  let pollBudget: Int64
  let timerResolution: TimerResolution

  // What follows is only touched on the loop.
  @exclusivity(unchecked) var instant = MonotonicInstant.current()
  var timers = TimerHeap()
  var work: ContiguousArray<LoopWork> = []
  var runningWork: ContiguousArray<LoopWork> = []
  var passEnds: ContiguousArray<any PassParticipant> = []
  var channels: ContiguousArray<Channel> = []
  var readyChannels: ContiguousArray<Channel> = []
  @exclusivity(unchecked) var dirtyChannels: ContiguousArray<Channel> = []
  var flushedChannels: ContiguousArray<Channel> = []
  /// Those that keep their buffers.
  var busyChannels: ContiguousArray<Channel> = []
  var busyTimer: LoopTimer?
  /// What was closed in this pass: events that epoll has already reported may still point to it.
  var closedInPass: ContiguousArray<AnyObject> = []
  var pollables: [ObjectIdentifier: Pollable] = [:]
  var handshakeSteps = 0
  /// Those whose peers have hung up, in the order of their turns; from ``nextHangUp`` on.
  var hangUps: ContiguousArray<Channel> = []
  var nextHangUp = 0
  var hangUpSteps = 0
  var isStopping = false
  var isRetired = false
  var stopCompletions: [@Sendable () -> Void] = []

  let channelCount = Atomic(0)
  let passCount = Atomic<Int>(0)
  let pieceCount = Atomic<Int>(0)
  let currentLabel = Atomic<UInt>(0)
  let hasWakeActions = Atomic<Bool>(false)
  let wakeActions = Mutex<[@Sendable () -> Void]>([])

  init(
    index: Int, pollBudget: Duration = .zero, timerResolution: TimerResolution = .milliseconds
  ) throws(SystemError) {
    self.index = index
    self.timerResolution = timerResolution
    self.pollBudget = pollBudget.wholeNanoseconds
    queue = DispatchQueue(label: "event-loop-\(index)")
    poller = try Poller()
  }

  /// Whether the caller runs on this loop.
  @inlinable
  public var isCurrent: Bool {
    currentLoopPointer() == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  /// The instant at which the present pass began. On the loop only.
  public var now: MonotonicInstant {
    assert(isCurrent)
    return instant
  }

  /// The number of open channels, from any thread; a moment later it may be another.
  public var connectionCount: Int { channelCount.load(ordering: .relaxed) }

  /// The number of passes so far, from any thread: an idle loop makes none.
  public var passes: Int { passCount.load(ordering: .relaxed) }

  // MARK: Timers

  /// Runs `work` on the loop at `instant`, or in the next pass if that has gone by. On the loop
  /// only.
  @discardableResult
  public func schedule(
    at instant: MonotonicInstant, _ work: @escaping () -> Void
  ) -> LoopTimer {
    let timer = LoopTimer(loop: self, work: work)
    arm(timer, at: instant)
    return timer
  }

  /// A timer that isn't armed yet. On the loop only.
  public func makeTimer(_ work: @escaping () -> Void) -> LoopTimer {
    LoopTimer(loop: self, work: work)
  }

  /// Keeps a timer from firing.
  public func cancel(_ timer: LoopTimer) {
    disarm(timer)
  }

  // MARK: Ends of passes

  /// Calls `participant` once, after the events, timers and jobs of this pass and before its output
  /// is written: whatever called this has returned by then. On the loop only.
  @inlinable
  public func afterPass(_ participant: any PassParticipant) {
    assert(isCurrent)
    appendPassEnd(participant)
  }

  @usableFromInline
  func appendPassEnd(_ participant: any PassParticipant) {
    passEnds.append(participant)
  }
}

/// What wants to be called at the end of a loop's pass.
public protocol PassParticipant: AnyObject {
  /// Called on the loop, once for each ``EventLoop/afterPass(_:)``.
  func passEnds(on loop: EventLoop)
}

/// The loop that runs on this thread, if any.
@usableFromInline
func currentLoopPointer() -> UnsafeRawPointer? { clinux_current_loop() }

extension Duration {
  /// Nanoseconds, held at the ends of Int64's range; fractions are dropped.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return carried ? (seconds > 0 ? .max : .min) : sum
  }
}
