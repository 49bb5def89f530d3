import RPC
import RPCClient
import RPCCore
import RPCServer

// Both sides notice within ten seconds that the other is gone, also when the network between them
// swallows everything. Not sooner: an agent may be kept busy by the load that it makes.

extension KeepAlivePolicy {
  /// Of coordinators and agents.
  fileprivate static let agents: KeepAlivePolicy = {
    var policy = KeepAlivePolicy()
    policy.interval = .seconds(2)
    policy.timeout = .seconds(8)
    policy.withoutCalls = true
    policy.minimumPeerInterval = .milliseconds(500)
    return policy
  }()
}

extension ServerConfiguration {
  /// An agent's.
  static var agent: ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.connection.keepAlive = .agents
    configuration.connection.maximumMessageSize = AgentLimits.messageBytes
    configuration.connection.maximumConcurrentCalls = 8
    return configuration
  }
}

extension ClientConfiguration {
  /// A coordinator's. Calls have no time of their own: a load lasts as long as it lasts.
  static var coordinator: ClientConfiguration {
    var configuration = ClientConfiguration()
    configuration.connection.keepAlive = .agents
    configuration.connection.maximumMessageSize = AgentLimits.messageBytes
    configuration.connectTimeout = .seconds(5)
    configuration.defaultTimeout = nil
    configuration.acceptsCompression = false
    return configuration
  }
}
