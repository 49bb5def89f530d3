import RPC
import RPCClient
import RPCServer
import RPCTransport

/// A server with the test service on a free port, and what is needed to call it.
final class EchoServer: Sendable {
  let handlers: EchoHandlers
  let group: EventLoopGroup
  let server: Server
  let listener: Listener
  let tls: ServerTLS
  let certificates: TestCertificates
  let hiddenErrors = Locked<[String]>([])
  let violations = Locked<[String]>([])

  /// Every method is for anyone.
  static func registry(_ handlers: EchoHandlers) -> MethodRegistry {
    var registry = MethodRegistry()
    registry.add(handlers)
    for method in EchoServiceMethods.descriptor.methods {
      registry.authorize(method, .anyone)
    }
    return registry
  }

  init(
    loops: Int = 2, clientCA: Bool = false, port: UInt16 = 0,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    register: (inout MethodRegistry) -> Void = { _ in }
  ) async throws {
    certificates = try await TestCertificates.shared.value
    handlers = EchoHandlers()
    group = try EventLoopGroup(loops: loops)
    var configuration = ServerConfiguration.patient
    let hiddenErrors = hiddenErrors
    let violations = violations
    configuration.onHiddenError = { method, error in
      hiddenErrors.withLock { $0.append("\(method): \(error)") }
    }
    configuration.onViolation = { _, violation in
      violations.withLock { $0.append(violation.rule.rawValue) }
    }
    configure(&configuration)
    var registry = Self.registry(handlers)
    register(&registry)
    server = try Server(registry, configuration: configuration, group: group)
    tls = try certificates.serverTLS(clientCA: clientCA)
    listener = try server.listen(on: .host("127.0.0.1", port: port), tls: tls)
  }

  var endpoint: Endpoint { .host("127.0.0.1", port: listener.localAddress.port) }

  /// A client of the server, on the server's loops.
  func client(
    certificate: Bool = false, _ configure: (inout ClientConfiguration) -> Void = { _ in }
  ) throws -> RPCClient {
    var configuration = ClientConfiguration.patient
    configure(&configuration)
    return RPCClient(
      to: endpoint, tls: try certificates.clientTLS(withCertificate: certificate), group: group,
      configuration: configuration)
  }

  /// Ends everything that the server and its clients hold.
  func stop() async {
    await server.drain(within: .seconds(5))
    await group.shutdown()
  }
}

/// Runs a test with a server, and stops it.
func withServer<Result>(
  loops: Int = 2, clientCA: Bool = false,
  configure: (inout ServerConfiguration) -> Void = { _ in },
  register: (inout MethodRegistry) -> Void = { _ in },
  _ body: (EchoServer) async throws -> Result
) async throws -> Result {
  try await ServerPermits.with {
    let server = try await EchoServer(
      loops: loops, clientCA: clientCA, configure: configure, register: register)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }
}
