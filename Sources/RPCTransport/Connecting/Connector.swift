public import RPCCore
import Synchronization

/// Makes connections to servers.
public struct Connector: Sendable {
  let limits: ChannelLimits

  /// A connector whose channels have these limits. The handshake's time-out is the deadline of each
  /// connection.
  public init(options: ChannelOptions = ChannelOptions()) {
    limits = ChannelLimits(options)
  }

  /// Connects: looks the name up, tries its addresses in turn, and does the TLS handshake, all by
  /// `deadline`.
  ///
  /// - Parameters:
  ///   - endpoint: Where to. An IP literal isn't sent as a name (SNI).
  ///   - address: One of the endpoint's addresses, if it was looked up already: then it is the only
  ///     one that is tried.
  ///   - tls: Trust, certificate, protocols and resumable sessions.
  ///   - deadline: When it is given up.
  ///   - loop: Where the channel is going to live. Can be called from any thread.
  ///   - makeHandler: Called on the loop when the handshake is done; the application protocol that
  ///     was agreed on is in the channel's ``Channel/security``.
  ///   - completion: Called on the loop, once: after ``ChannelHandler/channelActive(_:)``, or with
  ///     the reason why there is no channel.
  /// - Returns: The attempt, for cancelling it.
  @discardableResult
  public func connect(
    to endpoint: Endpoint, at address: SocketAddress? = nil, tls: ClientTLS,
    deadline: MonotonicInstant, loop: EventLoop,
    makeHandler: @escaping @Sendable (Channel) -> any ChannelHandler,
    completion: @escaping @Sendable (Result<Channel, ConnectError>) -> Void
  ) -> ConnectAttempt {
    let attempt = ConnectAttempt(
      endpoint: endpoint, address: address, tls: tls, deadline: deadline, loop: loop,
      limits: limits,
      makeHandler: makeHandler, completion: completion)
    loop.post { attempt.begin() }
    return attempt
  }
}
