import RPC
import Testing

@Suite struct CallQueueTests {
  private func call(_ number: Int) -> OutgoingCall {
    let call = OutgoingCall(EchoServiceMethods.echo)
    call.deadline = MonotonicInstant(nanoseconds: Int64(number))
    return call
  }

  private func drain(_ queue: inout CallQueue) -> [Int64] {
    var numbers: [Int64] = []
    while let call = queue.popFirst() { numbers.append(call.deadline.nanoseconds) }
    return numbers
  }

  @Test func firstComeFirstServed() {
    var queue = CallQueue()
    for number in 0..<500 { queue.append(call(number)) }
    #expect(queue.count == 500)
    #expect(queue.popFirst()?.deadline.nanoseconds == 0)
    queue.prepend(call(-1))
    queue.prepend(call(-2))
    #expect(drain(&queue) == [-2, -1] + (1..<500).map { Int64($0) })
    #expect(queue.isEmpty)
    #expect(queue.popFirst() == nil)
  }

  @Test func takesOutWhatIsAskedFor() {
    var queue = CallQueue()
    for number in 0..<10 { queue.append(call(number)) }
    _ = queue.popFirst()
    let taken = queue.take { $0.deadline.nanoseconds % 2 == 0 }
    #expect(taken.map(\.deadline.nanoseconds) == [2, 4, 6, 8])
    #expect(queue.earliestDeadline?.nanoseconds == 1)
    #expect(drain(&queue) == [1, 3, 5, 7, 9])
    #expect(queue.earliestDeadline == nil)
  }

  @Test func manyPrependsInARow() {
    var queue = CallQueue()
    for number in 0..<100 { queue.prepend(call(number)) }
    #expect(drain(&queue) == (0..<100).reversed().map { Int64($0) })
  }
}
