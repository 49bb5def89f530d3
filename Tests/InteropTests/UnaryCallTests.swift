import InteropService
import RPC
import RPCClient
import Testing

@Suite("The interoperability list, unary calls", .timeLimit(.minutes(2)))
struct UnaryCallTests {
  /// The sizes of gRPC's list.
  static let largeRequest = 271_828
  static let largeResponse = 314_159

  static let specialText = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"

  private func large() -> UnaryRequest {
    UnaryRequest(
      responseSize: UInt32(Self.largeResponse),
      body: [UInt8](repeating: 0, count: Self.largeRequest))
  }

  @Test("empty_unary")
  func empty() async throws {
    try await InteropServerProcess.withClient { client in
      let answer = try await InteropServiceClient(client).empty(EmptyMessage())
      #expect(answer == EmptyMessage())
    }
  }

  @Test("large_unary")
  func largeMessages() async throws {
    try await InteropServerProcess.withClient { client in
      let answer = try await InteropServiceClient(client).unary(large())
      #expect(answer.content == [UInt8](repeating: 0, count: Self.largeResponse))
    }
  }

  @Test("custom_metadata: initial and trailing, ASCII and binary, in their order")
  func metadata() async throws {
    try await InteropServerProcess.withClient { client in
      var options = CallOptions()
      try options.metadata.add("x-echo-initial", "initial value")
      try options.metadata.add("x-other", "not echoed")
      try options.metadata.add("x-echo-trailing", binary: [0x0A, 0x0B, 0x0A, 0xFF])
      try options.metadata.add("x-echo-trailing", "second")
      let answer: ClientResponse<Body> = try await client.unaryResponse(
        InteropServiceMethods.unary, UnaryRequest(responseSize: 1), options: options)
      let sent = options.metadata.entries
      #expect(answer.initialMetadata.entries == [sent[0]])
      #expect(answer.trailingMetadata.entries == [sent[2], sent[3]])
    }
  }

  @Test(
    "status_code_and_message, special_status_message",
    arguments: ["test status message", specialText, "", "\u{0}\u{1B}[31m\u{7F}"])
  func status(_ text: String) async throws {
    try await InteropServerProcess.withClient { client in
      let error = await #expect(throws: RPCError.self) {
        try await InteropServiceClient(client).unary(
          UnaryRequest(status: RequestedStatus(code: 2, message: text)))
      }
      #expect(error?.code == .unknown)
      #expect(error?.message == text)
      #expect(error?.phase == .answered)
    }
  }

  @Test("Every code comes as it was sent")
  func codes() async throws {
    try await InteropServerProcess.withClient { client in
      for code in UInt32(1)...16 {
        let error = await #expect(throws: RPCError.self) {
          try await InteropServiceClient(client).unary(
            UnaryRequest(status: RequestedStatus(code: code, message: "number \(code)")))
        }
        #expect(error?.code == StatusCode(rawValue: code))
        #expect(error?.message == "number \(code)")
      }
    }
  }

  @Test("unimplemented_method, unimplemented_service: the connection lives on")
  func unimplemented() async throws {
    try await InteropServerProcess.withClient { client in
      let missing = MethodDescriptor(
        service: InteropServiceMethods.descriptor.name, method: "Missing", shape: .unary)
      for method in [missing, MissingServiceMethods.call] {
        let error = await #expect(throws: RPCError.self) {
          let _: EmptyMessage = try await client.unary(method, EmptyMessage())
        }
        #expect(error?.code == .unimplemented)
        #expect(error?.message.contains(method.path) == true)
      }
      _ = try await InteropServiceClient(client).empty(EmptyMessage())
    }
  }

  @Test("concurrent_large_unary: 1,000 at the same time over 4 connections")
  func concurrent() async throws {
    try await InteropServerProcess.withClient(connections: 4) { client in
      let request = large()
      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<1_000 {
          group.addTask {
            let answer = try await InteropServiceClient(client).unary(request)
            return answer.content.count == Self.largeResponse
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(right == 1_000)
    }
  }

  @Test("rpc_soak: 3,000 calls one after the other over one connection, of all sizes up to 7 KB")
  func soak() async throws {
    try await InteropServerProcess.withClient { client in
      var wrong = 0
      for number in 0..<3_000 {
        let request = UnaryRequest(
          responseSize: UInt32(number % 7_000), body: [UInt8](repeating: 0, count: number % 5_000))
        let answer = try await InteropServiceClient(client).unary(request)
        if answer.content.count != number % 7_000 { wrong += 1 }
      }
      #expect(wrong == 0)
    }
  }

  @Test("channel_soak: 30 clients one after the other, a connection each")
  func channelSoak() async throws {
    try await InteropServerProcess.run { server in
      for _ in 0..<30 {
        let size = try await server.withClient { client in
          try await InteropServiceClient(client).unary(UnaryRequest(responseSize: 1_000))
        }.content.count
        #expect(size == 1_000)
      }
    }
  }
}
