/// The parts of generated functions that depend on a method's shape.
extension Method {
  private var requests: String { "_ requests: RequestStream<\(input)>" }

  /// The parameters of the requirement that a server implements, in lines.
  var serverParameters: [String] {
    let first = hasManyRequests ? requests : "_ request: \(input)"
    guard hasManyResponses else { return ["\(first), context: ServerContext"] }
    return ["\(first),", "responses: ResponseWriter<\(output)>,", "context: ServerContext"]
  }

  /// What the requirement returns, with the arrow.
  var serverResult: String { hasManyResponses ? "" : " -> \(output)" }

  /// The parameters of the closure that is registered.
  var handlerParameters: String {
    let first = hasManyRequests ? "requests: RequestStream<\(input)>" : "request: \(input)"
    let responses = hasManyResponses ? ", responses: ResponseWriter<\(output)>" : ""
    return "\(first)\(responses), context"
  }

  /// What the closure passes on.
  var handlerArguments: String {
    let responses = hasManyResponses ? "responses: responses, " : ""
    return "\(hasManyRequests ? "requests" : "request"), \(responses)context: context"
  }

  /// The parameters of a stub.
  var clientParameters: String {
    let request = hasManyRequests ? "" : "_ request: \(input), "
    return "\(request)options: CallOptions = CallOptions()"
  }

  /// Effects and result of a stub.
  var clientResult: String {
    switch (hasManyRequests, hasManyResponses) {
    case (false, false): "async throws(RPCError) -> \(output)"
    case (true, false): "-> ClientStreamingCall<\(input), \(output)>"
    case (false, true): "-> ResponseStream<\(output)>"
    case (true, true): "-> BidirectionalCall<\(input), \(output)>"
    }
  }
}
