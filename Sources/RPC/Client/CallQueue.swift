/// Calls that wait for a connection or a slot, first come first served. Taking from the front costs
/// the same however many wait.
package struct CallQueue {
  private var calls: [OutgoingCall?] = []
  private var head = 0

  package init() {}

  package var count: Int { calls.count - head }

  package var isEmpty: Bool { head == calls.count }

  package mutating func append(_ call: OutgoingCall) { calls.append(call) }

  /// Puts a call before all others.
  package mutating func prepend(_ call: OutgoingCall) {
    if head == 0 {
      calls.insert(contentsOf: [OutgoingCall?](repeating: nil, count: 8), at: 0)
      head = 8
    }
    head -= 1
    calls[head] = call
  }

  package mutating func popFirst() -> OutgoingCall? {
    guard head < calls.count else { return nil }
    let call = calls[head]
    calls[head] = nil
    head += 1
    if head == calls.count {
      calls.removeAll(keepingCapacity: calls.capacity <= 1024)
      head = 0
    } else if head >= 64, head * 2 >= calls.count {
      calls.removeFirst(head)
      head = 0
    }
    return call
  }

  /// Takes out the calls for which `shouldTake` is true, in order.
  package mutating func take(where shouldTake: (OutgoingCall) -> Bool) -> [OutgoingCall] {
    var taken: [OutgoingCall] = []
    var kept: [OutgoingCall?] = []
    for case let call? in calls[head...] {
      if shouldTake(call) { taken.append(call) } else { kept.append(call) }
    }
    calls = kept
    head = 0
    return taken
  }

  /// The earliest deadline among the calls.
  package var earliestDeadline: MonotonicInstant? {
    calls[head...].lazy.compactMap { $0?.deadline }.min()
  }
}
