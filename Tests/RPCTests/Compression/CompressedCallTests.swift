import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct CompressedCallTests {
  private let message = EchoMessage(
    payload: [UInt8](repeating: 5, count: 200_000), text: "compresses well")

  @Test func bothWays() async throws {
    try await withServer(configure: { $0.compressionThreshold = 1000 }) { server in
      let client = try server.client { $0.compressionThreshold = 1000 }
      // The first call may be sent before the server has said that it takes compression.
      for _ in 0..<3 {
        #expect(try await EchoServiceClient(client).echo(message) == message)
      }
      #expect(server.server.metrics.receivedBytes < 2 * message.payload.count)
    }
  }

  @Test func methodsThatCarryCredentialsAreNeverCompressed() async throws {
    try await withServer(configure: { $0.compressionThreshold = 1000 }) { server in
      let client = try server.client { $0.compressionThreshold = 1000 }
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      #expect(try await EchoServiceClient(client).secret(message) == message)
      #expect(server.server.metrics.receivedBytes > message.payload.count)
    }
  }

  @Test func aServerThatTakesNoneGetsNone() async throws {
    try await withServer(configure: { $0.acceptsCompression = false }) { server in
      let client = try server.client { $0.compressionThreshold = 1000 }
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      #expect(try await EchoServiceClient(client).echo(message) == message)
      #expect(server.server.metrics.receivedBytes > message.payload.count)
    }
  }
}
