import Synchronization

/// One piece of work for a loop.
enum LoopWork {
  /// A step of a task.
  case job(UnownedJob)
  /// A step of a task whose kind is to be seen while it runs.
  case labelled(UnownedJob, LabelledExecutor)
  /// A closure.
  case call(() -> Void)
}

/// Work that other threads hand to a loop, and whether the loop has to be woken for it.
final class LoopInbox: @unchecked Sendable {
  /// What becomes of work that is handed in.
  enum Admission {
    /// It was queued, and the loop will see it.
    case queued
    /// It was queued, and the loop may be asleep: it has to be woken.
    case wake
    /// The loop's block has ended: the work has to be run on the loop's queue.
    case retired
  }

  private struct State {
    var work: ContiguousArray<LoopWork> = []
    var isRetired = false
  }

  private let state = Mutex(State())
  /// Whether `work` may have something: lets the loop skip the lock.
  private let isFilled = Atomic(false)
  /// Whether the loop is about to block, or does.
  private let isAsleep = Atomic(false)

  func add(_ work: consuming sending LoopWork) -> Admission {
    let box = SendableWork(work)
    let isRetired = state.withLock { state in
      if state.isRetired { return true }
      state.work.append(box.work)
      return false
    }
    if isRetired { return .retired }
    // Sequentially consistent, like the loop's pair in `prepareToSleep`: either the loop sees the
    // work, or this thread sees that the loop went to sleep.
    isFilled.store(true, ordering: .sequentiallyConsistent)
    return isAsleep.exchange(false, ordering: .sequentiallyConsistent) ? .wake : .queued
  }

  /// Announces that the loop is going to block. False: it must not, there is work.
  func prepareToSleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    if isFilled.load(ordering: .sequentiallyConsistent) {
      isAsleep.store(false, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Whether the loop waits, from any thread.
  var isOwnerAsleep: Bool { isAsleep.load(ordering: .relaxed) }

  /// Whether there may be work.
  var hasWork: Bool { isFilled.load(ordering: .acquiring) }

  /// Announces that the loop is awake again.
  func wokeUp() {
    isAsleep.store(false, ordering: .relaxed)
  }

  /// Moves the work that has come in to the end of `list`.
  func drain(into list: inout ContiguousArray<LoopWork>) {
    guard isFilled.load(ordering: .acquiring) else { return }
    var taken = state.withLock { state in
      isFilled.store(false, ordering: .relaxed)
      let work = SendableWorkList(state.work)
      state.work = []
      return work
    }.work
    if list.isEmpty {
      swap(&list, &taken)
    } else {
      list.append(contentsOf: taken)
    }
  }

  /// Refuses further work, and returns what was left.
  func retire() -> ContiguousArray<LoopWork> {
    state.withLock { state in
      state.isRetired = true
      let work = SendableWorkList(state.work)
      state.work = []
      return work
    }.work
  }
}

/// Work on its way between threads. It is handed over, never shared.
private struct SendableWork: @unchecked Sendable {
  let work: LoopWork
  init(_ work: LoopWork) { self.work = work }
}

private struct SendableWorkList: @unchecked Sendable {
  var work: ContiguousArray<LoopWork>
  init(_ work: ContiguousArray<LoopWork>) { self.work = work }
}
