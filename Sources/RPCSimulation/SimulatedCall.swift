import RPCCore

/// How many messages a call has in each direction.
public enum CallShape: CaseIterable, Sendable {
  /// One request, one response.
  case unary
  /// One request, any number of responses.
  case serverStreaming
  /// Any number of requests, one response.
  case clientStreaming
  /// Any number of both.
  case bidirectional

  var streamsRequests: Bool { self == .clientStreaming || self == .bidirectional }
  var streamsResponses: Bool { self == .serverStreaming || self == .bidirectional }
}

/// What the simulation knows about one call, apart from the two cores: what was meant to happen and
/// how far it got.
struct SimulatedCall {
  /// How the client's side of a call came to its end.
  enum Outcome: Equatable {
    case ended(StatusCode)
    case notStarted
    case cancelled
    case expired
    case lost
  }

  /// The END that the server has decided on.
  struct End: Equatable {
    var code: StatusCode
    /// The status's text; nil when the core chose it.
    var text: String?
    var isNotStarted = false
  }

  let shape: CallShape
  var requests: [SimulatedMessage]
  var responses: [SimulatedMessage]
  /// The last response comes with the END.
  let endsWithMessage: Bool
  /// The handler answers before it has seen all requests.
  let endsEarly: Bool
  /// The handler sends initial metadata.
  let sendsHeaders: Bool

  // The client's side.
  var deadline = MonotonicInstant.distantFuture
  var requestsSent = 0
  var isHalfClosed = false
  var clientAwaitsWritable = false
  var sawHeaders = false
  var responsesReceived = 0
  var clientInbox: [Int] = []
  var outcome: Outcome?

  // The server's side.
  var isOnServer = false
  var serverDeadline = MonotonicInstant.distantFuture
  var requestsReceived = 0
  var sawHalfClose = false
  var serverInbox: [Int] = []
  var serverAwaitsWritable = false
  var hasSentHeaders = false
  var responsesSent = 0
  var end: End?
  var isCancelledOnServer = false
  var hasHandlerReturned = false

  init(_ decisions: inout DecisionSource, _ plan: SimulationPlan) {
    shape = plan.isFullSpeed ? .bidirectional : decisions.pick(CallShape.allCases) ?? .unary
    requests = SimulatedCall.messages(shape.streamsRequests, &decisions, plan)
    responses = SimulatedCall.messages(shape.streamsResponses, &decisions, plan)
    endsWithMessage =
      !responses.isEmpty && (!shape.streamsResponses || decisions.chance(30))
    endsEarly = shape.streamsRequests && decisions.chance(30)
    sendsHeaders = decisions.chance(30)
  }

  private static func messages(
    _ isStream: Bool, _ decisions: inout DecisionSource, _ plan: SimulationPlan
  ) -> [SimulatedMessage] {
    let count = isStream ? decisions.number(0...plan.longestStream) : 1
    return (0..<count).map { _ in
      let isShort = !plan.isFullSpeed && decisions.chance(70)
      let limit = isShort ? min(300, plan.largestMessage) : plan.largestMessage
      return SimulatedMessage(
        size: decisions.number(0...limit), isCompressed: decisions.chance(plan.compressed))
    }
  }
}

// MARK: What can happen next
extension SimulatedCall {
  /// The server's side is decided: answered or cancelled.
  var isOverOnServer: Bool { end != nil || isCancelledOnServer }

  /// Neither side will say anything about this call any more.
  var isDone: Bool {
    guard outcome != nil else { return false }
    // A call that is still on its way to the server goes on there.
    return isOnServer ? hasHandlerReturned : end != nil
  }

  var canClientSend: Bool {
    outcome == nil && !isHalfClosed && !clientAwaitsWritable && requestsSent < requests.count
  }

  var canHalfClose: Bool { outcome == nil && !isHalfClosed && requestsSent == requests.count }

  /// The handler runs and hasn't answered.
  var isRunning: Bool { isOnServer && !isOverOnServer && !hasHandlerReturned }

  private var responsesBeforeEnd: Int { responses.count - (endsWithMessage ? 1 : 0) }

  var canServerSend: Bool {
    isRunning && !serverAwaitsWritable && responsesSent < responsesBeforeEnd
  }

  var canServerEnd: Bool {
    isRunning && responsesSent == responsesBeforeEnd
      && (endsEarly || (sawHalfClose && serverInbox.isEmpty))
  }

  var canReturn: Bool { isOnServer && isOverOnServer && !hasHandlerReturned }
}
