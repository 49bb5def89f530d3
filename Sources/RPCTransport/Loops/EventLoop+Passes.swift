import CLinux
import Dispatch
import RPCCore
import Synchronization

extension EventLoop {
  /// Puts the loop's block on its queue.
  func start() {
    queue.async { self.asCurrent { self.runUntilStopped() } }
  }

  /// Closes all channels and ends the block when the last one is gone; `completion` runs then.
  func stop(_ completion: @escaping @Sendable () -> Void) {
    post {
      if self.isRetired { return completion() }
      self.stopCompletions.append(completion)
      guard !self.isStopping else { return }
      self.isStopping = true
      self.pollables.values.forEach { ($0 as? any LoopStopping)?.loopStops() }
      self.channels.forEach { $0.close() }
    }
  }

  private func runUntilStopped() {
    if timerResolution == .exact { clinux_wake_on_time(true) }
    defer { if timerResolution == .exact { clinux_wake_on_time(false) } }
    while !isStopping || !channels.isEmpty || !pollables.isEmpty {
      pass()
    }
    retire()
  }

  private func pass() {
    let count = poller.wait(nanoseconds: timeout(), pollBudget: pollBudget, inbox: inbox)
    instant = MonotonicInstant.current()
    passCount.wrappingAdd(1, ordering: .relaxed)
    handshakeSteps = 0
    hangUpSteps = 0
    if hasWakeActions.load(ordering: .relaxed) { runWakeActions() }
    var index: Int32 = 0
    while index < count {
      dispatch(poller.target(index), poller.flags(index))
      index += 1
    }
    if !readyChannels.isEmpty { continueReading() }
    if !hangUps.isEmpty { continueHangUps(isBehind: count == Poller.eventsPerWait) }
    runTimers()
    runWork()
    if !passEnds.isEmpty { endPass() }
    if !dirtyChannels.isEmpty { flushChannels() }
    if !closedInPass.isEmpty { closedInPass.removeAll(keepingCapacity: true) }
  }

  private func dispatch(_ target: UInt, _ flags: UInt32) {
    switch Poller.kind(of: target) {
    case .wakeup:
      break
    case .channel(let pointer):
      Unmanaged<Channel>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.ready(flags) }
    case .other(let pointer):
      Unmanaged<Pollable>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.ready(flags) }
    }
  }

  /// How long the loop may wait for events before its next pass, in nanoseconds; -1: for ever.
  func timeout() -> Int64 {
    if !work.isEmpty || !readyChannels.isEmpty || !dirtyChannels.isEmpty || !passEnds.isEmpty
      || !hangUps.isEmpty
    {
      return 0
    }
    guard let earliest = timers.earliest else { return -1 }
    return timerResolution.wait(earliest.nanoseconds(since: MonotonicInstant.current()))
  }

  private func continueReading() {
    let channels = readyChannels
    readyChannels.removeAll(keepingCapacity: true)
    for channel in channels { channel.continueReading() }
  }

  private func runTimers() {
    guard let earliest = timers.earliest, earliest <= instant else { return }
    // Those that are armed from here on for this instant are for the next pass.
    var left = timers.count
    while left > 0, let timer = timers.popDue(instant) {
      timer.work()
      left -= 1
    }
  }

  private func endPass() {
    let participants = passEnds
    passEnds.removeAll(keepingCapacity: true)
    for participant in participants { participant.passEnds(on: self) }
  }

  private func flushChannels() {
    swap(&dirtyChannels, &flushedChannels)
    for channel in flushedChannels { channel.flushAtPassEnd() }
    flushedChannels.removeAll(keepingCapacity: true)
  }

  /// Ends the loop's block: from here on work runs on the queue, piece by piece, and timers are the
  /// queue's. A task may prefer this executor long after its sockets are gone.
  private func retire() {
    isRetired = true
    let left = inbox.retire()
    work.append(contentsOf: left)
    while !work.isEmpty {
      swap(&work, &runningWork)
      for piece in runningWork { perform(piece) }
      runningWork.removeAll(keepingCapacity: true)
    }
    for timer in timers.removeAll() { arm(timer, at: timer.deadline) }
    closedInPass.removeAll()
    scratch.release()
    for completion in stopCompletions { completion() }
    stopCompletions = []
  }

  func arm(_ timer: LoopTimer, at instant: MonotonicInstant) {
    assert(isCurrent)
    guard isRetired else { return timers.set(timer, to: instant) }
    armOnQueue(timer, at: instant)
  }

  func disarm(_ timer: LoopTimer) {
    assert(isCurrent)
    if isRetired { timer.heapIndex = -1 }
    timers.remove(timer)
  }

  private func armOnQueue(_ timer: LoopTimer, at deadline: MonotonicInstant) {
    timer.heapIndex = 0
    timer.deadline = deadline
    let delay = max(0, deadline.nanoseconds(since: MonotonicInstant.current()))
    nonisolated(unsafe) let timer = timer
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay))) {
      guard timer.heapIndex == 0, timer.deadline == deadline else { return }
      timer.heapIndex = -1
      self.asCurrent { timer.work() }
    }
  }
}

/// A pollable that has to let go of its descriptor when its loop stops.
protocol LoopStopping: Pollable {
  /// Called on the loop: the pollable unregisters itself, now or soon.
  func loopStops()
}
