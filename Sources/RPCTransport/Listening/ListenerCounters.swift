/// What a listener has counted since it began.
public struct ListenerCounters: Sendable, Equatable {
  /// Connections that were taken.
  public var accepted = 0
  /// Connections that are open, handshakes included.
  public var open = 0
  /// Connections that are open and not done with their handshake.
  public var handshaking = 0
  /// Connections that were closed because there were too many.
  public var refused = 0
  /// Connections that were closed because there were too many of their address.
  public var refusedByAddress = 0
  /// How often accepting had to wait, for handshakes to end or for the rate.
  public var waits = 0
  /// Handshakes that are done.
  public var handshakes = 0
  /// Those of them that resumed a session.
  public var resumed = 0
  /// Handshakes that failed, time-outs included.
  public var handshakeFailures = 0
  /// Handshakes that weren't done in time.
  public var handshakeTimeouts = 0
  /// Handshakes that failed, by the name of their ``ChannelEnd/Code``.
  public var handshakeFailureReasons: [String: Int] = [:]
  /// How often accepting had to rest for lack of descriptors.
  public var shortages = 0

  /// Nothing counted yet.
  public init() {}
}

extension ListenerCounters {
  /// Adds the counts of another listener.
  public static func += (left: inout ListenerCounters, right: ListenerCounters) {
    left.accepted += right.accepted
    left.open += right.open
    left.handshaking += right.handshaking
    left.refused += right.refused
    left.refusedByAddress += right.refusedByAddress
    left.waits += right.waits
    left.handshakes += right.handshakes
    left.resumed += right.resumed
    left.handshakeFailures += right.handshakeFailures
    left.handshakeTimeouts += right.handshakeTimeouts
    left.shortages += right.shortages
    left.handshakeFailureReasons.merge(right.handshakeFailureReasons, uniquingKeysWith: +)
  }
}
