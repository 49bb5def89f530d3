import Dispatch
import Synchronization

/// Runs offloaded handlers on threads of its own, so that they may compute and block.
///
/// Calls that begin and tasks that go on wait in one queue, first come first served. Only calls
/// that haven't begun count for its limit: a task that has begun must always get on.
final class WorkerExecutor: TaskExecutor, @unchecked Sendable {
  private enum Work {
    case start(@Sendable () -> Void)
    case job(UnownedJob)
  }

  private struct State {
    var queue: [Work?] = []
    var head = 0
    var waitingStarts = 0
    var idle: [DispatchQueue]

    mutating func pop() -> Work? {
      guard head < queue.count, let work = queue[head] else { return nil }
      queue[head] = nil
      head += 1
      if head == queue.count {
        queue.removeAll(keepingCapacity: queue.capacity <= 1024)
        head = 0
      } else if head >= 64, head * 2 >= queue.count {
        queue.removeFirst(head)
        head = 0
      }
      return work
    }
  }

  /// How many calls may wait.
  let limit: Int
  private let state: Mutex<State>

  init(_ configuration: OffloadConfiguration) {
    limit = configuration.queueLimit
    let queues = (0..<max(1, configuration.threads)).map {
      DispatchQueue(label: "rpc-worker-\($0)")
    }
    state = Mutex(State(idle: queues))
  }

  /// Runs the beginning of a call as soon as a thread is free; false: too many wait already.
  func submit(_ start: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, thread) = state.withLock { state -> (Bool, DispatchQueue?) in
      let thread = state.idle.popLast()
      guard thread != nil || state.waitingStarts < limit else { return (false, nil) }
      state.waitingStarts += 1
      state.queue.append(.start(start))
      return (true, thread)
    }
    if let thread { begin(thread) }
    return isTaken
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = state.withLock { state in
      state.queue.append(.job(job))
      return state.idle.popLast()
    }
    if let thread { begin(thread) }
  }

  private func begin(_ thread: DispatchQueue) {
    thread.async { self.run(on: thread) }
  }

  /// Works until nothing waits.
  private func run(on thread: DispatchQueue) {
    while true {
      let work = state.withLock { state -> Work? in
        guard let work = state.pop() else {
          state.idle.append(thread)
          return nil
        }
        if case .start = work { state.waitingStarts -= 1 }
        return work
      }
      switch work {
      case .start(let start): start()
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case nil: return
      }
    }
  }
}
