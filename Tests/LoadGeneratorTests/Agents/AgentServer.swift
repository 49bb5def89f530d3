import RPC
import RPCClient
import RPCServer
import RPCTransport

@testable import LoadGenerator

/// An agent of its own in this process, over TLS.
final class AgentServer: Sendable {
  let group: EventLoopGroup
  let server: Server
  let endpoint: Endpoint
  let notes: AsyncStream<String>

  init(version: String = "1", limits: AgentLimits = AgentLimits()) async throws {
    let certificates = try await TestCertificates.shared.value
    let (stream, continuation) = AsyncStream<String>.makeStream()
    notes = stream
    group = try EventLoopGroup(loops: 1)
    let agent = LoadAgent(limits: limits, version: version) { continuation.yield($0) }
    server = try agent.makeServer(group: group)
    var tls = ServerTLS.Configuration(
      certificateFile: certificates.path("server.pem"), keyFile: certificates.path("server.key"),
      applicationProtocols: ["onside/1"])
    tls.clientCAFile = certificates.path("ca.pem")
    let listener = try server.listen(on: .host("127.0.0.1", port: 0), tls: try ServerTLS(tls))
    endpoint = .host("127.0.0.1", port: listener.localAddress.port)
  }

  /// Ends it as a machine ends that loses its power, but for the sockets.
  func stop() async {
    await server.drain(within: .zero)
    await group.shutdown()
  }

  /// The next line that it says which contains a text.
  func note(_ text: String) async -> String? {
    await notes.first { $0.contains(text) }
  }

  /// What a coordinator comes with.
  static func tls(
    _ certificates: TestCertificates, withCertificate: Bool = true
  ) throws -> ClientTLS {
    var tls = ClientTLS.Configuration(applicationProtocols: ["onside/1"])
    tls.trust = .file(certificates.path("ca.pem"))
    if withCertificate {
      tls.certificateFile = certificates.path("client.pem")
      tls.keyFile = certificates.path("client.key")
    }
    return try ClientTLS(tls)
  }
}

/// Runs a test with a server to load, agents, and a loop for the coordinator.
func withAgents(
  _ count: Int, versions: [String] = [], limits: AgentLimits = AgentLimits(),
  _ body: (LoginServer, [AgentServer], EventLoopGroup) async throws -> Void
) async throws {
  try await withLoginServer { server, group in
    var agents: [AgentServer] = []
    for index in 0..<count {
      let version = index < versions.count ? versions[index] : "1"
      agents.append(try await AgentServer(version: version, limits: limits))
    }
    do {
      try await body(server, agents, group)
    } catch {
      for agent in agents { await agent.stop() }
      throw error
    }
    for agent in agents { await agent.stop() }
  }
}
