import RPCCore

extension Simulation {
  /// Something happens to one call: whichever fits, looked for from a random place on.
  mutating func performOnCall(
    _ operation: SimulationPlan.Operation
  ) throws(SimulationFailure) {
    switch operation {
    case .open: try open()
    case .clientSend: if let stream = pick({ $0.canClientSend }) { try clientSend(stream) }
    case .clientHalfClose: if let stream = pick({ $0.canHalfClose }) { try halfClose(stream) }
    case .cancel: if let stream = pick({ $0.outcome == nil }) { try cancel(stream) }
    case .clientRead:
      if let stream = pick({ !$0.clientInbox.isEmpty }) { try clientRead(stream) }
    case .serverSend: if let stream = pick({ $0.canServerSend }) { try serverSend(stream) }
    case .serverEnd: if let stream = pick({ $0.canServerEnd }) { try serverEnd(stream) }
    case .serverFail: if let stream = pick({ $0.isRunning }) { try serverFail(stream) }
    case .serverRead:
      if let stream = pick({ !$0.serverInbox.isEmpty }) { try serverRead(stream) }
    case .handlerReturns: if let stream = pick({ $0.canReturn }) { try handlerReturns(stream) }
    default: throw failure("\(operation) isn't about a call")
    }
  }

  private mutating func pick(_ isFit: (SimulatedCall) -> Bool) -> StreamID? {
    guard !isOver, !active.isEmpty else { return nil }
    let start = decisions.number(0...active.count - 1)
    for offset in active.indices {
      let stream = active[(start + offset) % active.count]
      if let call = calls[stream], isFit(call) { return stream }
    }
    return nil
  }

  /// What a sending operation may answer, and whether the application has to wait.
  func expectSent(
    _ result: SendResult, _ operation: String
  ) throws(SimulationFailure) -> Bool {
    switch result {
    case .sent, .dropped: return false
    case .queued: return !plan.ignoresBackPressure
    case .misuse(let misuse): throw failure("\(operation): \(misuse)")
    }
  }

  /// Notes the one outcome of a call.
  mutating func settle(
    _ stream: StreamID, _ outcome: SimulatedCall.Outcome
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.outcome == nil else {
      throw failure("\(stream) has ended twice")
    }
    calls[stream]?.outcome = outcome
    switch outcome {
    case .ended(.ok): report.succeeded += 1
    case .ended: report.failed += 1
    case .notStarted: report.notStarted += 1
    case .cancelled: report.cancelled += 1
    case .expired: report.expired += 1
    case .lost: report.lost += 1
    }
    forgetIfDone(stream)
  }

  /// Takes a call off the list of those that something can still happen to.
  mutating func forgetIfDone(_ stream: StreamID) {
    guard calls[stream]?.isDone == true else { return }
    active.removeAll { $0 == stream }
  }

  /// The metadata of a call and of its HEADERS: some have none.
  func metadata(of stream: StreamID) -> Metadata {
    var metadata = Metadata()
    guard stream.rawValue % 4 == 1 else { return metadata }
    try? metadata.add("stream", "\(stream.rawValue)")
    try? metadata.add("stream", binary: [UInt8](repeating: 7, count: Int(stream.rawValue % 50)))
    return metadata
  }
}
