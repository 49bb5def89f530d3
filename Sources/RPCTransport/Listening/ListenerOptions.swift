/// The limits of a listener.
public struct ListenerOptions: Sendable {
  /// The limits of each of its channels.
  public var channel = ChannelOptions()
  /// Connections above this number are closed at once (16,384).
  public var maximumConnections = 16_384
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
  /// The process has no descriptors left; told at most once a second.
  case outOfDescriptors(SystemError)
}

/// What a listener has counted since it began.
public struct ListenerCounters: Sendable, Equatable {
  /// Connections that were taken.
  public var accepted = 0
  /// Connections that are open, handshakes included.
  public var open = 0
  /// Connections that were closed because there were too many.
  public var refused = 0
  /// Handshakes that are done.
  public var handshakes = 0
  /// Those of them that resumed a session.
  public var resumed = 0
  /// Handshakes that failed, time-outs included.
  public var handshakeFailures = 0
  /// Handshakes that weren't done in time.
  public var handshakeTimeouts = 0
  /// How often accepting had to rest for lack of descriptors.
  public var shortages = 0
}
