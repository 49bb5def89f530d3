/// The limits of a listener.
public struct ListenerOptions: Sendable {
  /// The limits of each of its channels.
  public var channel = ChannelOptions()
  /// Connections above this number are closed at once (16,384).
  public var maximumConnections = 16_384
  /// Connections of one address above this number are closed at once (16,384: no fewer than in
  /// all). The first 64 bits of an IPv6 address count as one address.
  public var maximumConnectionsPerAddress = 16_384
  /// How many connections may be in their TLS handshake (1,024). Above it accepting waits; above
  /// half of it new ones get a quarter of the handshake timeout.
  public var maximumHandshakes = 1_024
  /// How many new connections are taken a second (20,000), a second's worth of them at once; 0: any
  /// number. Above it accepting waits.
  public var maximumHandshakesPerSecond = 20_000
  /// Whether an IPv6 address such as `[::]` takes IPv6 connections only. If not, `[::]` takes IPv4
  /// connections as well (the default).
  public var isIPv6Only = false
  /// How many connections may wait to be accepted (1,024); the kernel may allow fewer.
  public var backlog: Int32 = 1024
  /// How long accepting rests when the process has no descriptors left (100 ms).
  public var shortageBackOff = Duration.milliseconds(100)
  /// Told of what happens before a connection has a handler. Called on loops: it must not block.
  public var observer: (@Sendable (ListenerEvent) -> Void)?

  /// The defaults.
  public init() {}
}

/// What a listener tells its observer.
public enum ListenerEvent: Sendable {
  /// A connection ended during its handshake. A peer can cause any number of these: a log must
  /// limit their rate.
  case handshakeFailed(peer: SocketAddress, end: ChannelEnd)
  /// There were ``ListenerOptions/maximumConnections`` connections already.
  case connectionRefused(peer: SocketAddress)
  /// There were ``ListenerOptions/maximumConnectionsPerAddress`` from its address already.
  case addressRefused(peer: SocketAddress)
  /// The process has no descriptors left; told at most once a second.
  case outOfDescriptors(SystemError)
}
