import CLinux
import COpenSSL
import RPCCore
import Synchronization

/// Takes connections on one address and spreads them over the loops of a group.
///
/// The sockets belong to the group's first loop. Each connection goes to the loop with the fewest.
public final class Listener: @unchecked Sendable {
  /// Where it listens, with the port that the system chose for port 0. A name may have several.
  public let localAddresses: [SocketAddress]
  let tls: ServerTLS
  let group: EventLoopGroup
  let options: ListenerOptions
  private let limits: ChannelLimits
  /// For a connection that comes when many handshakes are under way.
  private let pressedLimits: ChannelLimits
  private let admission: Mutex<ConnectionAdmission>
  let counts = ListenerCounts()
  private let makeHandler: @Sendable (Channel) -> any ChannelHandler
  /// Confined to the first loop.
  private var sockets: [ListeningSocket] = []

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - endpoint: Where. Port 0 lets the system choose one. A Unix socket that nobody listens on
  ///     any more is replaced.
  ///   - tls: The certificate and the application protocols.
  ///   - group: The loops. They must be running.
  ///   - options: The limits.
  ///   - makeHandler: Called on a channel's loop when its handshake is done; the application
  ///     protocol that was agreed on is in the channel's ``Channel/security``.
  /// - Throws: ``ListenError``. Looks a name up and blocks meanwhile: give an IP address, or call
  ///   it before anything else runs.
  public static func bind(
    to endpoint: Endpoint, tls: ServerTLS, group: EventLoopGroup,
    options: ListenerOptions = ListenerOptions(),
    makeHandler: @escaping @Sendable (Channel) -> any ChannelHandler
  ) throws(ListenError) -> Listener {
    let bound = try BoundSocket.bind(endpoint, options)
    let listener = Listener(bound, tls, group, options, makeHandler)
    group.first.post { listener.start(bound) }
    return listener
  }

  /// Finds out whether ``bind(to:tls:group:options:makeHandler:)`` could listen there now, and
  /// leaves nothing behind: for a program that has lasting things to do before it listens.
  ///
  /// - Throws: ``ListenError``, as `bind` would.
  public static func check(
    _ endpoint: Endpoint, options: ListenerOptions = ListenerOptions()
  ) throws(ListenError) {
    for socket in try BoundSocket.bind(endpoint, options) {
      close(socket.descriptor)
      if case .unix(let path) = socket.address { unlink(path) }
    }
  }

  private init(
    _ bound: [BoundSocket], _ tls: ServerTLS, _ group: EventLoopGroup, _ options: ListenerOptions,
    _ makeHandler: @escaping @Sendable (Channel) -> any ChannelHandler
  ) {
    localAddresses = bound.map(\.address)
    self.tls = tls
    self.group = group
    self.options = options
    self.makeHandler = makeHandler
    limits = ChannelLimits(options.channel)
    var pressed = options.channel
    pressed.handshakeTimeout /= 4
    pressedLimits = ChannelLimits(pressed)
    admission = Mutex(ConnectionAdmission(options))
  }

  /// The first of ``localAddresses``.
  public var localAddress: SocketAddress { localAddresses[0] }

  /// What it has counted so far. From any thread.
  public var counters: ListenerCounters { counts.snapshot(admission.withLock { $0 }) }

  /// Takes no more connections, and lets go of the address. Open channels live on. Returns when the
  /// sockets are closed.
  public func stop() async {
    await group.first.run {
      for socket in self.sockets { socket.stop() }
      self.sockets = []
    }
  }

  private func start(_ bound: [BoundSocket]) {
    for socket in bound {
      let listening = ListeningSocket(socket, listener: self)
      if listening.start() { sockets.append(listening) }
    }
  }

  /// Whether the next connection may be accepted.
  func readiness(_ now: MonotonicInstant) -> ConnectionAdmission.Readiness {
    admission.withLock { $0.readiness(now) }
  }

  /// Takes over a socket that was accepted, on the first loop.
  func accepted(_ descriptor: Int32, _ peer: SocketAddress) {
    let now = group.first.now
    switch admission.withLock({ $0.accept(peer, now: now) }) {
    case .taken(let isPressed):
      counts.accepted.increment()
      let limits = isPressed ? pressedLimits : limits
      let loop = group.leastLoaded()
      if loop.isCurrent {
        open(descriptor, peer, loop, limits)
      } else {
        loop.post { self.open(descriptor, peer, loop, limits) }
      }
    case .full:
      counts.refused.increment()
      close(descriptor)
      options.observer?(.connectionRefused(peer: peer))
    case .addressFull:
      counts.refusedByAddress.increment()
      close(descriptor)
      options.observer?(.addressRefused(peer: peer))
    }
  }

  private func open(
    _ descriptor: Int32, _ peer: SocketAddress, _ loop: EventLoop, _ limits: ChannelLimits
  ) {
    guard let ssl = tls.currentContext.makeConnection() else {
      return giveUp(descriptor, peer)
    }
    SSL_set_accept_state(ssl)
    let channel = Channel(
      loop: loop, id: ChannelNumbers.next(), descriptor: descriptor, ssl: ssl, peer: peer,
      limits: limits, opener: self)
    if !loop.register(channel) { giveUp(descriptor, peer) }
  }

  private func giveUp(_ descriptor: Int32, _ peer: SocketAddress) {
    close(descriptor)
    admission.withLock {
      $0.handshakeEnded()
      $0.ended(peer)
    }
  }
}

extension Listener: ChannelOpener {
  var security: any ChannelSecurity { tls }
  var serverKey: Endpoint? { nil }

  func channelEstablished(_ channel: Channel) -> any ChannelHandler {
    admission.withLock { $0.handshakeEnded() }
    counts.handshakes.increment()
    if channel.security.isResumed { counts.resumed.increment() }
    return makeHandler(channel)
  }

  func channelFailed(_ channel: Channel, _ end: ChannelEnd) {
    admission.withLock { $0.handshakeEnded() }
    counts.countFailure(end.code)
    options.observer?(.handshakeFailed(peer: channel.peer, end: end))
  }

  func channelReleased(_ channel: Channel) {
    admission.withLock { $0.ended(channel.peer) }
  }
}
