import RPCCore

/// The armed timers of a loop, the earliest first: a binary heap whose members know their place, so
/// that any of them can be moved or taken out in logarithmic time.
struct TimerHeap {
  private var timers: ContiguousArray<LoopTimer> = []

  /// When the earliest timer is due, or nil without timers.
  var earliest: MonotonicInstant? { timers.first?.deadline }

  var count: Int { timers.count }

  /// Adds the timer, or moves it if it is here already.
  mutating func set(_ timer: LoopTimer, to deadline: MonotonicInstant) {
    timer.deadline = deadline
    if timer.heapIndex < 0 {
      timer.heapIndex = timers.count
      timers.append(timer)
    }
    settle(timer.heapIndex)
  }

  /// Takes the timer out, if it is here.
  mutating func remove(_ timer: LoopTimer) {
    let index = timer.heapIndex
    guard index >= 0 else { return }
    timer.heapIndex = -1
    let last = timers.removeLast()
    guard last !== timer else { return }
    place(last, at: index)
    settle(index)
  }

  /// Takes out the earliest timer if it is due at `now`.
  mutating func popDue(_ now: MonotonicInstant) -> LoopTimer? {
    guard let first = timers.first, first.deadline <= now else { return nil }
    remove(first)
    return first
  }

  /// Takes out all timers.
  mutating func removeAll() -> ContiguousArray<LoopTimer> {
    for timer in timers { timer.heapIndex = -1 }
    defer { timers = [] }
    return timers
  }

  private mutating func place(_ timer: LoopTimer, at index: Int) {
    timers[index] = timer
    timer.heapIndex = index
  }

  /// Moves the timer at `index` up or down to where it belongs.
  private mutating func settle(_ index: Int) {
    if !siftUp(from: index) { siftDown(from: index) }
  }

  private mutating func siftUp(from start: Int) -> Bool {
    let timer = timers[start]
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard timer.deadline < timers[parent].deadline else { break }
      place(timers[parent], at: index)
      index = parent
    }
    place(timer, at: index)
    return index != start
  }

  private mutating func siftDown(from start: Int) {
    let timer = timers[start]
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < timers.count else { break }
      if child + 1 < timers.count, timers[child + 1].deadline < timers[child].deadline {
        child += 1
      }
      guard timers[child].deadline < timer.deadline else { break }
      place(timers[child], at: index)
      index = child
    }
    place(timer, at: index)
  }
}
