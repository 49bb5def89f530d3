/// Bytes that went through a socket: TLS records with all that belongs to them, and the handshake.
public struct WireBytes: Sendable, Equatable {
  /// Given to the socket.
  public var sent: UInt64

  /// Taken from it.
  public var received: UInt64

  /// A count; none unless it is said.
  public init(sent: UInt64 = 0, received: UInt64 = 0) {
    (self.sent, self.received) = (sent, received)
  }

  /// The bytes of both.
  public static func + (one: WireBytes, other: WireBytes) -> WireBytes {
    WireBytes(sent: one.sent &+ other.sent, received: one.received &+ other.received)
  }

  /// What came since then.
  public static func - (later: WireBytes, earlier: WireBytes) -> WireBytes {
    WireBytes(sent: later.sent &- earlier.sent, received: later.received &- earlier.received)
  }

  /// Adds more.
  public static func += (sum: inout WireBytes, more: WireBytes) { sum = sum + more }
}
