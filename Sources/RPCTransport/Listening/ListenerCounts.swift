import Synchronization

/// A listener's counters, changed on any loop.
final class ListenerCounts: Sendable {
  let accepted = Atomic(0)
  let refused = Atomic(0)
  let refusedByAddress = Atomic(0)
  let waits = Atomic(0)
  let handshakes = Atomic(0)
  let resumed = Atomic(0)
  let shortages = Atomic(0)
  private let failures = Mutex<[String: Int]>([:])

  /// Counts a handshake that failed.
  func countFailure(_ code: ChannelEnd.Code) {
    failures.withLock { $0[code.rawValue, default: 0] += 1 }
  }

  /// The counts of this moment.
  func snapshot(_ admission: ConnectionAdmission) -> ListenerCounters {
    var counters = ListenerCounters()
    counters.accepted = accepted.load(ordering: .relaxed)
    counters.open = admission.open
    counters.handshaking = admission.handshaking
    counters.refused = refused.load(ordering: .relaxed)
    counters.refusedByAddress = refusedByAddress.load(ordering: .relaxed)
    counters.waits = waits.load(ordering: .relaxed)
    counters.handshakes = handshakes.load(ordering: .relaxed)
    counters.resumed = resumed.load(ordering: .relaxed)
    counters.handshakeFailureReasons = failures.withLock { $0 }
    counters.handshakeFailures = counters.handshakeFailureReasons.values.reduce(0, +)
    counters.handshakeTimeouts =
      counters.handshakeFailureReasons[ChannelEnd.Code.handshakeTimeout.rawValue] ?? 0
    counters.shortages = shortages.load(ordering: .relaxed)
    return counters
  }
}

extension Atomic where Value == Int {
  /// Adds one; from any thread.
  func increment() {
    wrappingAdd(1, ordering: .relaxed)
  }
}
