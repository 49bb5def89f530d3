import Dispatch
import RPC
import RPCCore
import RPCTransport
import Synchronization

/// Notices handlers that hold their event loop, and with it all connections of the loop.
///
/// A thread of its own looks at the loops four times per threshold, and not at all while they all
/// wait for something to do: calls cost nothing for it. A loop is held when it isn't asleep and has
/// neither answered a call nor begun anything else since the last look.
final class LoopWatchdog: @unchecked Sendable {
  /// What is compared between two looks.
  private struct Progress: Equatable {
    var activity: EventLoop.Activity
    var calls: Int
  }

  /// A loop that hasn't got on since an instant.
  private struct Hold {
    var progress: Progress
    var since: MonotonicInstant
    /// How long it has to last to be reported, the next time.
    var reported: Duration
  }

  private let loops: [ServerLoop]
  private let parts: ServerParts
  private let threshold: Duration
  private let queue = DispatchQueue(label: "rpc-watchdog")

  // Used on the queue only.
  private var holds: [Hold?]
  /// Loops that will say when they are awake.
  private var isAwaited: [Bool]
  private var isTicking = false

  init(_ loops: [ServerLoop], _ parts: ServerParts, threshold: Duration) {
    self.loops = loops
    self.parts = parts
    self.threshold = max(threshold, .milliseconds(4))
    holds = loops.map { _ in nil }
    isAwaited = loops.map { _ in false }
  }

  /// Begins to look, when a loop is awake.
  func start() { queue.async { self.resume() } }

  private func resume() {
    guard !isTicking else { return }
    isTicking = true
    tick()
  }

  private func tick() {
    let now = MonotonicInstant.now
    var isSomebodyAwake = false
    for index in loops.indices where !look(at: index, now) { isSomebodyAwake = true }
    guard isSomebodyAwake || !sleepUntilAwake() else { return }
    let (seconds, attoseconds) = (threshold / 4).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in self?.tick() }
  }

  /// Stops looking until a loop begins a pass; false when one has begun meanwhile.
  private func sleepUntilAwake() -> Bool {
    isTicking = false
    for index in loops.indices where !isAwaited[index] {
      isAwaited[index] = true
      loops[index].loop.whenAwake { [weak self] in
        guard let self else { return }
        self.queue.async {
          self.isAwaited[index] = false
          self.resume()
        }
      }
    }
    guard loops.contains(where: { !$0.loop.activity.isAsleep }) else { return true }
    isTicking = true
    return false
  }

  /// Compares a loop with what it was at the last look.
  ///
  /// - Returns: Whether the loop is asleep.
  private func look(at index: Int, _ now: MonotonicInstant) -> Bool {
    let loop = loops[index]
    let progress = Progress(activity: loop.loop.activity, calls: loop.counters.progress)
    guard !progress.activity.isAsleep, progress.activity.label != 0 else {
      holds[index] = nil
      return progress.activity.isAsleep
    }
    guard var hold = holds[index], hold.progress == progress else {
      holds[index] = Hold(progress: progress, since: now, reported: threshold)
      return false
    }
    let duration = hold.since.duration(to: now)
    guard duration >= hold.reported else { return false }
    report(progress.activity.label, duration, isFirst: hold.reported == threshold, loop.counters)
    hold.reported = duration * 2
    holds[index] = hold
    return false
  }

  private func report(
    _ label: UInt, _ duration: Duration, isFirst: Bool, _ counters: LoopCounters
  ) {
    if isFirst { counters.slowHandlers.wrappingAdd(1, ordering: .relaxed) }
    // Labels are the methods' places in the table, counted from 1.
    guard label <= UInt(parts.table.methods.count) else { return }
    parts.configuration.onSlowHandler(parts.table.methods[Int(label) - 1].descriptor, duration)
  }
}
