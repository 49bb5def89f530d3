import RPC
import RPCClient
import RPCServer
import RPCTransport

/// Says that a name has the addresses that a test gives it.
final class FakeResolver: NameResolver {
  private struct State {
    var answer: Result<[SocketAddress], NameResolutionError>
    var lookUps = 0
  }

  private let state: Locked<State>

  init(_ servers: [EchoServer]) {
    state = Locked(State(answer: .success(servers.map(\.address))))
  }

  init(failing text: String) {
    state = Locked(State(answer: .failure(NameResolutionError(text: text))))
  }

  /// How often somebody asked.
  var lookUps: Int { state.current.lookUps }

  func answer(_ servers: [EchoServer]) {
    state.withLock { $0.answer = .success(servers.map(\.address)) }
  }

  func answer(_ addresses: [SocketAddress]) {
    state.withLock { $0.answer = .success(addresses) }
  }

  func fail(_ text: String) {
    state.withLock { $0.answer = .failure(NameResolutionError(text: text)) }
  }

  func resolve(
    _ endpoint: Endpoint,
    _ completion: @escaping @Sendable (Result<[SocketAddress], NameResolutionError>) -> Void
  ) {
    let answer = state.withLock { state in
      state.lookUps += 1
      return state.answer
    }
    completion(answer)
  }
}

extension EchoServer {
  var address: SocketAddress {
    .ipv4(address: 0x7F00_0001, port: listener.localAddress.port)
  }

  /// How many calls it has answered with OK.
  var answered: Int { server.metrics.calls[.ok] ?? 0 }
}

/// Runs a test with several servers and a group of one loop for clients, and stops them all.
func withServers(
  _ count: Int, configure: (inout ServerConfiguration) -> Void = { _ in },
  _ body: ([EchoServer], EventLoopGroup) async throws -> Void
) async throws {
  var servers: [EchoServer] = []
  for _ in 0..<count { servers.append(try await EchoServer(loops: 1, configure: configure)) }
  let group = try EventLoopGroup(loops: 1)
  var failure: (any Error)?
  do { try await body(servers, group) } catch { failure = error }
  for server in servers { await server.stop() }
  await group.shutdown()
  if let failure { throw failure }
}

/// A client with short waits, so that tests are.
func makeClient(
  _ endpoints: [Endpoint], _ group: EventLoopGroup,
  _ configure: (inout ClientConfiguration) -> Void = { _ in }
) async throws -> RPCClient {
  var configuration = ClientConfiguration.patient
  configuration.backoff = Backoff(initial: .milliseconds(5), maximum: .milliseconds(20))
  configuration.resolution = ResolutionPolicy(minimumInterval: .milliseconds(1))
  configure(&configuration)
  return RPCClient(
    to: endpoints, tls: try await TestCertificates.shared.value.clientTLS(), group: group,
    configuration: configuration)
}
