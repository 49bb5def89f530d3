import InteropService
import RPC
import RPCClient
import Testing

@Suite("The interoperability list, compression chosen for each message", .timeLimit(.minutes(2)))
struct CompressionTests {
  private func request(_ compressed: Compressed) -> UnaryRequest {
    UnaryRequest(
      responseSize: UInt32(UnaryCallTests.largeResponse),
      body: [UInt8](repeating: 0, count: UnaryCallTests.largeRequest),
      requestCompressed: compressed)
  }

  @Test("client_compressed_unary: the server sees what the caller chose")
  func requests() async throws {
    try await InteropServerProcess.withClient { client in
      let service = InteropServiceClient(client)
      // Before its first frame nobody knows whether the server takes compressed messages.
      _ = try await service.empty(EmptyMessage())
      for (choice, other, expected) in [
        (MessageCompression.always, MessageCompression.never, Compressed.yes),
        (.never, .always, .no),
      ] {
        let answer = try await service.unary(
          request(expected), options: CallOptions(compression: choice))
        #expect(answer.content.count == UnaryCallTests.largeResponse)
        let error = await #expect(throws: RPCError.self) {
          try await service.unary(request(expected), options: CallOptions(compression: other))
        }
        #expect(error?.code == .invalidArgument)
      }
    }
  }

  @Test("server_compressed_unary: the caller sees what it asked for")
  func responses() async throws {
    try await InteropServerProcess.withClient { client in
      for (asked, expected) in [(Compressed.yes, true), (.no, false), (.unspecified, false)] {
        let answer: ClientResponse<Body> = try await client.unaryResponse(
          InteropServiceMethods.unary,
          UnaryRequest(responseSize: 100_000, responseCompressed: asked))
        #expect(answer.isCompressed == expected)
        #expect(answer.message.content == [UInt8](repeating: 0, count: 100_000))
      }
    }
  }

  @Test("client_compressed_streaming: each message as its sender chose")
  func requestStream() async throws {
    try await InteropServerProcess.withClient { client in
      let service = InteropServiceClient(client)
      _ = try await service.empty(EmptyMessage())
      let call = service.clientStream()
      for (size, choice) in [(27_182, Compressed.yes), (45_904, .no), (1_828, .yes)] {
        try await call.requests.send(
          UploadRequest(body: [UInt8](repeating: 0, count: size), compressed: choice),
          compression: choice == .yes ? .always : .never)
      }
      call.requests.finish()
      #expect(try await call.response().size == 74_914)

      let wrong = service.clientStream(options: CallOptions(compression: .always))
      try await wrong.requests.send(
        UploadRequest(body: [UInt8](repeating: 0, count: 5_000), compressed: .no))
      let error = await #expect(throws: RPCError.self) { try await wrong.response() }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test("server_compressed_streaming: each message as it was asked for")
  func responseStream() async throws {
    try await InteropServerProcess.withClient { client in
      let asked: [(size: UInt32, choice: Compressed)] = [
        (31_415, .yes), (92_653, .no), (100_000, .yes),
      ]
      let responses = InteropServiceClient(client).serverStream(
        StreamRequest(
          responses: asked.map { ResponseEntry(size: $0.size, compressed: $0.choice) }))
      var iterator = responses.makeAsyncIterator()
      for (size, choice) in asked {
        let response = try await iterator.next()
        #expect(response?.content.count == Int(size))
        #expect(iterator.isCompressed == (choice == .yes))
      }
      #expect(try await iterator.next() == nil)
    }
  }
}
