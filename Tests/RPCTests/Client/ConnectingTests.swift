import Glibc
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct ConnectingTests {
  private func client(
    _ port: UInt16, _ group: EventLoopGroup,
    _ configure: (inout ClientConfiguration) -> Void = { _ in }
  ) async throws -> RPCClient {
    var configuration = ClientConfiguration.patient
    configuration.backoff = Backoff(initial: .milliseconds(5), maximum: .milliseconds(20))
    configure(&configuration)
    return RPCClient(
      to: .host("127.0.0.1", port: port),
      tls: try await TestCertificates.shared.value.clientTLS(), group: group,
      configuration: configuration)
  }

  private func failure(
    _ client: RPCClient, _ options: CallOptions = CallOptions()
  ) async -> RPCError? {
    do throws(RPCError) {
      _ = try await EchoServiceClient(client).echo(EchoMessage(), options: options)
      return nil
    } catch {
      return error
    }
  }

  /// Closes a client, among tasks that return codes.
  private func close(_ client: RPCClient) async -> StatusCode? {
    await client.close()
    return nil
  }

  @Test func nobodyListens() async throws {
    let group = try EventLoopGroup(loops: 1)
    let deaf = try SilentServer(backlog: nil)
    let client = try await client(deaf.port, group)
    let error = await failure(client)
    #expect(error?.code == .unavailable)
    #expect(error?.phase == .connecting)
    #expect(error?.wasStarted == false)
    await client.close()
    await group.shutdown()
  }

  @Test func aCallThatWaitsForReadyWaitsForItsDeadlineOrAServer() async throws {
    let group = try EventLoopGroup(loops: 1)
    let deaf = try SilentServer(backlog: nil)
    let client = try await client(deaf.port, group)
    let error = await failure(
      client, CallOptions(timeout: .milliseconds(60), waitsForReady: true))
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.phase == .queued)
    #expect(error?.wasStarted == false)

    let waiting = Task {
      try await EchoServiceClient(client).echo(
        EchoMessage(text: "at last"), options: CallOptions(waitsForReady: true))
    }
    let server = try Server(EchoServer.registry(EchoHandlers()), group: group)
    try server.listen(
      on: .host("127.0.0.1", port: deaf.port),
      tls: try await TestCertificates.shared.value.serverTLS())
    #expect(try await waiting.value.text == "at last")
    await client.close()
    await server.drain(within: .seconds(5))
    await group.shutdown()
  }

  @Test func aServerThatStaysSilentIsGivenUpInTime() async throws {
    let group = try EventLoopGroup(loops: 1)
    let silent = try SilentServer(backlog: 16)
    let client = try await client(silent.port, group) { $0.connectTimeout = .milliseconds(50) }
    let error = await failure(client)
    #expect(error?.code == .unavailable)
    #expect(error?.phase == .handshake)
    await client.close()
    await group.shutdown()
  }

  @Test func aCertificateOfAnotherAuthorityIsRefused() async throws {
    try await withServer(loops: 1) { server in
      let tls = try ClientTLS(
        ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name]))
      let client = RPCClient(to: server.endpoint, tls: tls, group: server.group)
      let error = await failure(client)
      #expect(error?.code == .unavailable)
      #expect(error?.phase == .handshake)
      #expect(error?.message.contains("certificate") == true)
      await client.close()
    }
  }

  @Test func theQueueIsBounded() async throws {
    let group = try EventLoopGroup(loops: 1)
    let silent = try SilentServer(backlog: 16)
    let client = try await client(silent.port, group) {
      $0.queueLimit = 3
      $0.connectTimeout = .seconds(2)
    }
    let codes = await withTaskGroup { group in
      for _ in 0..<5 {
        group.addTask { await failure(client, CallOptions(timeout: .seconds(60)))?.code }
      }
      var codes: [StatusCode?: Int] = [:]
      for await code in group {
        codes[code, default: 0] += 1
        // The other three wait for the connection, until there is to be none.
        if codes[.resourceExhausted] == 2, codes.count == 1 {
          group.addTask { await close(client) }
        }
      }
      return codes
    }
    #expect(codes == [.resourceExhausted: 2, .unavailable: 3, nil: 1])
    await group.shutdown()
  }
}

/// Takes TCP connections and says nothing; gone with the object. Without a backlog it refuses them,
/// and only keeps its port from other tests.
private final class SilentServer: Sendable {
  private let descriptor: Int32
  let port: UInt16

  init(backlog: Int32?) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // So that a server can still listen on a port that is only held.
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
          && (backlog.map { listen(descriptor, $0) == 0 } ?? true)
      }
    }
    guard isListening else { throw CommandFailed(text: "can't listen: \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { Glibc.close(descriptor) }
}
