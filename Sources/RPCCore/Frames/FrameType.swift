/// What a frame says. An open set: every byte is representable, the connection decides which are
/// errors (0 and 12–127) and which are skipped (128–255).
@frozen
public struct FrameType: RawRepresentable, Sendable, Hashable {
  /// The byte on the wire.
  public var rawValue: UInt8

  /// The type with that byte.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The first frame of each side: versions, limits and policies of its sender.
  @inlinable public static var setup: FrameType { FrameType(rawValue: 1) }
  /// Client: opens a stream and names its method; may carry the first message.
  @inlinable public static var call: FrameType { FrameType(rawValue: 2) }
  /// Server: initial metadata, at most once, before any message.
  @inlinable public static var headers: FrameType { FrameType(rawValue: 3) }
  /// A message or a fragment of one; from the client also a bare half-close.
  @inlinable public static var message: FrameType { FrameType(rawValue: 4) }
  /// Server: the status of a call, once; closes the stream.
  @inlinable public static var end: FrameType { FrameType(rawValue: 5) }
  /// Client: no longer interested in the call.
  @inlinable public static var cancel: FrameType { FrameType(rawValue: 6) }
  /// Permission to send more message bytes, on a stream or on the connection.
  @inlinable public static var credit: FrameType { FrameType(rawValue: 7) }
  /// Asks for a PONG with the same eight bytes.
  @inlinable public static var ping: FrameType { FrameType(rawValue: 8) }
  /// The answer to a PING.
  @inlinable public static var pong: FrameType { FrameType(rawValue: 9) }
  /// Server: the connection takes no calls above a stream id.
  @inlinable public static var drain: FrameType { FrameType(rawValue: 10) }
  /// The sender closes the connection and says why.
  @inlinable public static var close: FrameType { FrameType(rawValue: 11) }

  /// Whether a receiver that doesn't know the type skips it: 128 to 255.
  @inlinable public var isExtension: Bool { rawValue >= 128 }

  /// Whether this version of the protocol defines the type: 1 to 11.
  @inlinable public var isDefined: Bool { rawValue >= 1 && rawValue <= 11 }
}

extension FrameType: CustomStringConvertible {
  /// The type's name, as in `Docs/protocol.md`, or its number.
  public var description: String {
    let names = [
      "SETUP", "CALL", "HEADERS", "MESSAGE", "END", "CANCEL", "CREDIT", "PING", "PONG", "DRAIN",
      "CLOSE",
    ]
    return isDefined ? names[Int(rawValue) - 1] : "type \(rawValue)"
  }
}
