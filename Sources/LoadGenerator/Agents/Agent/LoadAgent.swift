import RPC
public import RPCServer
public import RPCTransport

/// A machine that makes shares of loads for coordinators, one at a time.
///
/// Whoever has a certificate of the agent's client CA can have it load any server, within its
/// limits. A load ends with the call that asked for it: a coordinator that is gone, or that a
/// broken network hides, leaves nothing running.
public struct LoadAgent: Sendable {
  private let handlers: AgentHandlers

  /// An agent.
  ///
  /// - Parameters:
  ///   - limits: what it permits.
  ///   - version: of the generator, which coordinators have to have too.
  ///   - note: gets a line about each load that it is asked for.
  public init(
    limits: AgentLimits = AgentLimits(), version: String,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    handlers = AgentHandlers(limits: limits, version: version, note: note)
  }

  /// A server of this agent alone, which doesn't listen yet.
  ///
  /// - Parameter group: its event loops; the loads have loops of their own.
  /// - Throws: never, as all methods have a rule.
  public func makeServer(group: EventLoopGroup) throws -> Server {
    var registry = MethodRegistry()
    registry.add(handlers)
    for method in LoadAgentServiceMethods.descriptor.methods {
      // The handshake has asked for a certificate already; here it can't be forgotten.
      registry.authorize(method, .clientCertificate)
    }
    return try Server(registry, configuration: .agent, group: group)
  }
}

extension AuthorizationRule {
  /// Clients that have proved who they are.
  fileprivate static let clientCertificate = AuthorizationRule("client certificate") {
    context throws(RPCError) in
    guard let certificate = context.peer.certificate else {
      throw RPCError(.unauthenticated, "an agent serves clients with a certificate only")
    }
    return certificate.subject
  }
}
