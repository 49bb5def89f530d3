import RPC
import RPCCore
import RPCTransport

/// Makes a client's connections.
struct Dialer: Sendable {
  let tls: ClientTLS
  let configuration: ClientConfiguration
  private let connector: Connector

  init(_ tls: ClientTLS, _ configuration: ClientConfiguration) {
    self.tls = tls
    self.configuration = configuration
    connector = Connector(options: configuration.channelOptions)
  }

  /// Makes a connection on the loop that this runs on.
  ///
  /// - Parameters:
  ///   - owner: Told when the connection is open.
  ///   - completion: Called on the loop, once: with nil after the owner was told, or with the
  ///     reason why there is no connection.
  /// - Returns: The attempt, for cancelling it.
  func dial(
    _ target: Target, on loop: EventLoop, owner: any ConnectionOwner,
    completion: @escaping @Sendable (ConnectError?) -> Void
  ) -> ConnectAttempt {
    let started = MonotonicInstant.current()
    let configuration = configuration
    return connector.connect(
      to: target.endpoint, at: target.address, tls: tls,
      deadline: started.advanced(by: configuration.connectTimeout), loop: loop,
      makeHandler: { channel in
        ClientConnection(
          channel, configuration, owner: owner, target: target,
          info: ConnectionInfo(channel, since: started))
      },
      completion: { result in
        switch result {
        case .success: completion(nil)
        case .failure(let error): completion(error)
        }
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
      duration: started.duration(to: .current()), tcp: channel.connectTimes.tcp,
      tls: channel.connectTimes.tls, isRetried: channel.connectTimes.isRetried)
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
