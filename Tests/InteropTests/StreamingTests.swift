import InteropService
import RPC
import RPCClient
import Testing

@Suite("The interoperability list, streaming calls", .timeLimit(.minutes(2)))
struct StreamingTests {
  /// The sizes of gRPC's list.
  private static let requests = [27_182, 8, 1_828, 45_904]
  private static let responses: [UInt32] = [31_415, 9, 2_653, 58_979]

  /// A request of `size` bytes that asks for responses of these sizes.
  private func ask(_ sizes: [UInt32], body size: Int = 0, pause: UInt32 = 0) -> StreamRequest {
    StreamRequest(
      responses: sizes.map { ResponseEntry(size: $0, pauseUs: pause) },
      body: [UInt8](repeating: 0, count: size))
  }

  private func with<Result>(
    _ body: (InteropServiceClient) async throws -> Result
  ) async throws -> Result {
    try await InteropServerProcess.withClient { try await body(InteropServiceClient($0)) }
  }

  @Test("client_streaming")
  func clientStreaming() async throws {
    try await with { service in
      let call = service.clientStream()
      for size in Self.requests {
        try await call.requests.send(UploadRequest(body: [UInt8](repeating: 0, count: size)))
      }
      call.requests.finish()
      let response = try await call.response()
      #expect(response == UploadResponse(size: 74_922, count: 4))
    }
  }

  @Test("server_streaming")
  func serverStreaming() async throws {
    try await with { service in
      var sizes: [UInt32] = []
      for try await response in service.serverStream(ask(Self.responses)) {
        #expect(response.content.allSatisfy { $0 == 0 })
        sizes.append(UInt32(response.content.count))
      }
      #expect(sizes == Self.responses)
    }
  }

  @Test("ping_pong: each response is there before the next request is sent")
  func pingPong() async throws {
    try await with { service in
      let call = service.pingPong()
      var responses = call.responses.makeAsyncIterator()
      for (request, response) in zip(Self.requests, Self.responses) {
        try await call.requests.send(ask([response], body: request))
        #expect(try await responses.next()?.content.count == Int(response))
      }
      call.requests.finish()
      #expect(try await responses.next() == nil)
    }
  }

  @Test("empty_stream")
  func empty() async throws {
    try await with { service in
      let call = service.pingPong()
      call.requests.finish()
      let responses = try await call.responses.reduce(into: []) { $0.append($1) }
      #expect(responses.isEmpty)
      let upload = service.clientStream()
      upload.requests.finish()
      let response = try await upload.response()
      #expect(response == UploadResponse())
    }
  }

  @Test("half_duplex: all requests, then all responses")
  func gather() async throws {
    try await with { service in
      let call = service.gather()
      for (request, response) in zip(Self.requests, Self.responses) {
        try await call.requests.send(ask([response], body: request))
      }
      call.requests.finish()
      let sizes = try await call.responses.reduce(into: []) { $0.append(UInt32($1.content.count)) }
      #expect(sizes == Self.responses)
    }
  }

  @Test("Messages larger than the window pass, both ways at the same time")
  func largerThanTheWindow() async throws {
    try await with { service in
      let call = service.pingPong()
      async let sending: Void = {
        for _ in 0..<40 { try await call.requests.send(ask([200_000], body: 200_000)) }
        call.requests.finish()
      }()
      let sizes = try await call.responses.reduce(into: []) { $0.append($1.content.count) }
      try await sending
      #expect(sizes == [Int](repeating: 200_000, count: 40))
    }
  }

  @Test("A stream that nobody reads holds up no other call")
  func unread() async throws {
    try await with { service in
      let unread = service.serverStream(ask([UInt32](repeating: 200_000, count: 20)))
      for _ in 0..<20 {
        let answer = try await service.unary(UnaryRequest(responseSize: 300_000))
        #expect(answer.content.count == 300_000)
      }
      // It was all kept for its reader.
      let sizes = try await unread.reduce(into: []) { $0.append($1.content.count) }
      #expect(sizes == [Int](repeating: 200_000, count: 20))
    }
  }

  @Test("cancel_after_begin")
  func cancelAfterBegin() async throws {
    try await with { service in
      let call = service.clientStream()
      call.cancel()
      let error = await #expect(throws: RPCError.self) { try await call.response() }
      #expect(error?.code == .cancelled)
      _ = try await service.empty(EmptyMessage())
    }
  }

  @Test("cancel_after_first_response")
  func cancelAfterFirstResponse() async throws {
    try await with { service in
      let call = service.pingPong()
      try await call.requests.send(ask([31_415], body: 27_182))
      var responses = call.responses.makeAsyncIterator()
      #expect(try await responses.next()?.content.count == 31_415)
      call.cancel()
      let error = await #expect(throws: RPCError.self) { try await responses.next() }
      #expect(error?.code == .cancelled)
      _ = try await service.empty(EmptyMessage())
    }
  }

  @Test("Cancelled calls give their slots back: 150 of them, then 100 calls at once")
  func slots() async throws {
    try await with { service in
      for _ in 0..<150 {
        let call = service.pingPong()
        try await call.requests.send(ask([10]))
        var responses = call.responses.makeAsyncIterator()
        _ = try await responses.next()
        call.cancel()
      }
      let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<100 {
          group.addTask {
            try await service.unary(UnaryRequest(responseSize: 100)).content.count
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sizes == [Int](repeating: 100, count: 100))
    }
  }

  @Test("timeout_on_sleeping_server")
  func timeout() async throws {
    try await with { service in
      let call = service.pingPong(options: CallOptions(timeout: .milliseconds(1)))
      // The time may be over before the request is on its way.
      try? await call.requests.send(ask([1], pause: 60_000_000))
      var responses = call.responses.makeAsyncIterator()
      let error = await #expect(throws: RPCError.self) { try await responses.next() }
      #expect(error?.code == .deadlineExceeded)
      _ = try await service.empty(EmptyMessage())
    }
  }

  @Test("custom_metadata: the initial part is there with the first response")
  func metadata() async throws {
    try await with { service in
      var options = CallOptions()
      try options.metadata.add("x-echo-initial", "initial value")
      try options.metadata.add("x-echo-trailing", binary: [0xAB, 0xAB, 0xFF])
      let call = service.pingPong(options: options)
      try await call.requests.send(ask([1]))
      var responses = call.responses.makeAsyncIterator()
      #expect(try await responses.next()?.content.count == 1)
      let sent = options.metadata.entries
      #expect(await call.responses.initialMetadata.entries == [sent[0]])
      call.requests.finish()
      #expect(try await responses.next() == nil)
      #expect(call.responses.trailingMetadata.entries == [sent[1]])
    }
  }

  @Test(
    "status_code_and_message, special_status_message: behind the responses that came before",
    arguments: ["test status message", UnaryCallTests.specialText])
  func status(_ text: String) async throws {
    try await with { service in
      let call = service.pingPong()
      var request = ask([5])
      request.status = RequestedStatus(code: 2, message: text)
      try await call.requests.send(request)
      var responses = call.responses.makeAsyncIterator()
      #expect(try await responses.next()?.content.count == 5)
      let error = await #expect(throws: RPCError.self) { try await responses.next() }
      #expect(error?.code == .unknown)
      #expect(error?.message == text)
    }
  }
}
