/// The flag bits of a frame. Which may stand on which frame is fixed by the protocol; a bit that is
/// unknown or out of place is an error.
@frozen
public struct FrameFlags: OptionSet, Sendable, Hashable {
  /// The byte on the wire.
  public var rawValue: UInt8

  /// The flags with those bits; unknown ones are representable.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The message goes on in this stream's next MESSAGE.
  @inlinable public static var more: FrameFlags { FrameFlags(rawValue: 1) }
  /// The message that begins here is compressed as negotiated.
  @inlinable public static var compressed: FrameFlags { FrameFlags(rawValue: 2) }
  /// The client sends no more messages on this stream.
  @inlinable public static var halfClose: FrameFlags { FrameFlags(rawValue: 4) }
  /// The frame carries message bytes (possibly none: an empty message).
  @inlinable public static var hasMessage: FrameFlags { FrameFlags(rawValue: 8) }
  /// The call was refused before anything of it ran: it's safe to send it again.
  @inlinable public static var notStarted: FrameFlags { FrameFlags(rawValue: 16) }
}

extension FrameFlags: CustomStringConvertible {
  /// The names of the bits that are set, joined by `|`, or `-`.
  public var description: String {
    let names: [(FrameFlags, String)] = [
      (.more, "MORE"), (.compressed, "COMPRESSED"), (.halfClose, "HALF_CLOSE"),
      (.hasMessage, "HAS_MESSAGE"), (.notStarted, "NOT_STARTED"),
    ]
    var parts = names.filter { contains($0.0) }.map(\.1)
    let unknown = rawValue & 0b1110_0000
    if unknown != 0 { parts.append("0x" + String(unknown, radix: 16)) }
    return parts.isEmpty ? "-" : parts.joined(separator: "|")
  }
}
