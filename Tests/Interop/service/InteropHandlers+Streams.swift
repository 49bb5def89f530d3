public import RPC

extension InteropHandlers {
  /// Sends one response for each entry of the request, after its pause.
  public func serverStream(
    _ request: StreamRequest, responses: ResponseWriter<Body>, context: ServerContext
  ) async throws {
    try context.echoMetadata()
    try await answer(request, responses)
  }

  /// Takes bodies to their end, and says how many bytes came.
  public func clientStream(
    _ requests: RequestStream<UploadRequest>, context: ServerContext
  ) async throws -> UploadResponse {
    try context.echoMetadata()
    var sum = UploadResponse()
    var iterator = requests.makeAsyncIterator()
    while let request = try await iterator.next() {
      try request.compressed.check(iterator.isCompressed)
      sum.size += UInt64(request.body.count)
      sum.count += 1
    }
    return sum
  }

  /// Answers each request as it comes with the responses that it asks for.
  public func pingPong(
    _ requests: RequestStream<StreamRequest>, responses: ResponseWriter<Body>,
    context: ServerContext
  ) async throws {
    try context.echoMetadata()
    for try await request in requests { try await answer(request, responses) }
  }

  /// Takes all requests first, then sends what they ask for.
  public func gather(
    _ requests: RequestStream<StreamRequest>, responses: ResponseWriter<Body>,
    context: ServerContext
  ) async throws {
    try context.echoMetadata()
    var all: [StreamRequest] = []
    for try await request in requests { all.append(request) }
    for request in all { try await answer(request, responses) }
  }

  /// Sends what a request asks for.
  private func answer(
    _ request: StreamRequest, _ responses: ResponseWriter<Body>
  ) async throws {
    for entry in request.responses {
      if entry.pauseUs > 0 { try await Task.sleep(for: .microseconds(Int64(entry.pauseUs))) }
      try await responses.send(
        try Body(zeros: entry.size), compression: MessageCompression(entry.compressed))
    }
    try request.status.throwIfAny()
  }
}
