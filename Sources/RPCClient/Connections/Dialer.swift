import RPC
import RPCCore
import RPCTransport

/// Makes a client's connections.
struct Dialer: Sendable {
  let endpoint: Endpoint
  let tls: ClientTLS
  let configuration: ClientConfiguration
  private let connector: Connector

  init(_ endpoint: Endpoint, _ tls: ClientTLS, _ configuration: ClientConfiguration) {
    self.endpoint = endpoint
    self.tls = tls
    self.configuration = configuration
    connector = Connector(options: configuration.channelOptions)
  }

  /// Makes a connection on the loop that this runs on.
  ///
  /// - Parameters:
  ///   - owner: Told when the connection is open.
  ///   - failed: Called on the loop when there is none.
  func dial(
    on loop: EventLoop, owner: any ConnectionOwner,
    failed: @escaping @Sendable (RPCError) -> Void
  ) {
    let started = MonotonicInstant.current()
    let configuration = configuration
    connector.connect(
      to: endpoint, tls: tls, deadline: started.advanced(by: configuration.connectTimeout),
      loop: loop,
      makeHandler: { channel in
        ClientConnection(
          channel, configuration, owner: owner, info: ConnectionInfo(channel, since: started))
      },
      completion: { result in
        if case .failure(let error) = result { failed(RPCError(error)) }
      })
  }
}

extension ConnectionInfo {
  /// What is known of a channel whose handshake has just been done.
  init(_ channel: Channel, since started: MonotonicInstant) {
    self.init(
      address: "\(channel.peer)",
      security: "\(channel.security.version) \(channel.security.cipher)",
      isResumed: channel.security.isResumed,
      duration: started.duration(to: .current()))
  }
}

extension RPCError {
  /// A connection that couldn't be made. No call was on it.
  init(_ error: ConnectError) {
    let phase: Phase =
      switch error.phase {
      case .resolve: .resolving
      case .tcp: .connecting
      case .tls: .handshake
      }
    self.init(.unavailable, "\(error)", cause: error, phase: phase, wasStarted: false)
  }
}
