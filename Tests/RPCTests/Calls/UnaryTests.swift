import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct UnaryTests {
  @Test func emptyMessageComesBack() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let answer = try await client.echo(EchoMessage())
      #expect(answer == EchoMessage())
    }
  }

  @Test(arguments: [1, 1000, 65_536, 70_000, 1 << 20, (4 << 20) - 64])
  func messagesOfAllSizesComeBack(size: Int) async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      let answer = try await client.echo(EchoMessage(payload: payload))
      #expect(answer.payload == payload)
    }
  }

  @Test func unknownMethodIsUnimplementedAndTheConnectionLives() async throws {
    try await withServer { server in
      let client = try server.client()
      let unknown = MethodDescriptor(service: "test.echo.v1.Nobody", method: "Does", shape: .unary)
      let error = await #expect(throws: RPCError.self) {
        let _: EchoMessage = try await client.unary(unknown, EchoMessage())
      }
      #expect(error?.code == .unimplemented)
      #expect(error?.message.contains("test.echo.v1.Nobody/Does") == true)
      let answer = try await EchoServiceClient(client).echo(EchoMessage(text: "still here"))
      #expect(answer.text == "still here")
      #expect(server.server.metrics.acceptedConnections == 1)
    }
  }
}
