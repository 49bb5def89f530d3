/// Names one call on a connection.
///
/// The client opens streams with odd numbers that rise from 1; 0 is the connection itself; the
/// largest is 2³¹ − 1, after which a client needs a new connection.
@frozen
public struct StreamID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number on the wire.
  public var rawValue: UInt32

  /// The stream with that number; any number is representable, also ones the protocol refuses.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The stream with that number.
  @inlinable
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The connection itself: SETUP, PING, PONG, DRAIN, CLOSE and the connection's own CREDIT.
  @inlinable
  public static var connection: StreamID { StreamID(0) }

  /// The last number that can be used.
  @inlinable
  public static var last: StreamID { StreamID(0x7FFF_FFFF) }

  /// Whether a client may open this stream: odd, and within the range.
  @inlinable
  public var isClientInitiated: Bool { rawValue & 1 == 1 && rawValue <= 0x7FFF_FFFF }

  @inlinable
  public static func < (left: StreamID, right: StreamID) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The number in decimal.
  public var description: String { String(rawValue) }
}
