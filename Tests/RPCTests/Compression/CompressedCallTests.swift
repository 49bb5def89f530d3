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

  @Test("Asking for compression doesn't compress credentials either")
  func credentialsWhateverIsAsked() async throws {
    try await withServer { server in
      let client = try server.client()
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      let options = CallOptions(compression: .always)
      #expect(try await EchoServiceClient(client).secret(message, options: options) == message)
      #expect(server.server.metrics.receivedBytes > message.payload.count)
    }
  }

  @Test("A caller's choice counts, whatever the threshold is")
  func choiceOfTheCaller() async throws {
    for (choice, threshold) in [(MessageCompression.always, Int?.none), (.never, 1_000)] {
      try await withServer { server in
        let client = try server.client { $0.compressionThreshold = threshold }
        _ = try await EchoServiceClient(client).echo(EchoMessage())
        let options = CallOptions(compression: choice)
        #expect(try await EchoServiceClient(client).echo(message, options: options) == message)
        let isCompressed = server.server.metrics.receivedBytes < message.payload.count
        #expect(isCompressed == (choice == .always))
      }
    }
  }

  @Test(
    "When a message is compressed",
    arguments: [
      (MessageCompression.automatic, 999, false), (.automatic, 1_000, true), (.always, 0, true),
      (.never, 1_000_000, false),
    ])
  func choice(_ choice: MessageCompression, _ size: Int, _ isCompressed: Bool) {
    #expect(choice.applies(to: size, threshold: 1_000) == isCompressed)
    #expect(choice.applies(to: size, threshold: nil) == (choice == .always))
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
