public import OnsideDomain
public import RPC

/// The clocks of the services, so that tests can move time as they like.
public struct ServiceClock: Sendable {
  /// The time of day, for what is stored and for the expiry of tokens.
  public var wall: @Sendable () -> Timestamp

  /// Never steps back, for waits.
  public var monotonic: @Sendable () -> MonotonicInstant

  /// Clocks of one's own.
  public init(
    wall: @escaping @Sendable () -> Timestamp,
    monotonic: @escaping @Sendable () -> MonotonicInstant
  ) {
    self.wall = wall
    self.monotonic = monotonic
  }

  /// The machine's clocks.
  public static let system = ServiceClock(
    wall: { WallClock.now }, monotonic: { MonotonicInstant.now })
}
