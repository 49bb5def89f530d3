import RPCCore
import Testing

@testable import RPCTransport

@Suite("Timer heap")
struct TimerHeapTests {
  /// A random series of sets, moves and removals against a sorted list.
  @Test(arguments: 0..<8) func agreesWithASortedList(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed))
    let loop = try EventLoop(index: 0)
    let timers = (0..<64).map { _ in LoopTimer(loop: loop) {} }
    var deadlines = [Int64?](repeating: nil, count: timers.count)
    var heap = TimerHeap()
    for _ in 0..<2_000 {
      let index = Int(random.next() % UInt64(timers.count))
      if random.next() % 3 == 0 {
        heap.remove(timers[index])
        deadlines[index] = nil
      } else {
        let deadline = Int64(random.next() % 50)
        heap.set(timers[index], to: MonotonicInstant(nanoseconds: deadline))
        deadlines[index] = deadline
      }
      #expect(heap.earliest?.nanoseconds == deadlines.compactMap { $0 }.min())
      #expect(heap.count == deadlines.count { $0 != nil })
    }
    var order: [Int64] = []
    while let timer = heap.popDue(.distantFuture) { order.append(timer.deadline.nanoseconds) }
    #expect(order == deadlines.compactMap { $0 }.sorted())
    #expect(timers.allSatisfy { !$0.isArmed })
  }

  @Test func nothingIsDueBeforeItsTime() throws {
    let loop = try EventLoop(index: 0)
    let timer = LoopTimer(loop: loop) {}
    var heap = TimerHeap()
    heap.set(timer, to: MonotonicInstant(nanoseconds: 10))
    #expect(heap.popDue(MonotonicInstant(nanoseconds: 9)) == nil)
    #expect(heap.popDue(MonotonicInstant(nanoseconds: 10)) === timer)
  }
}

struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
