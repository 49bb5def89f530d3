/// The ten bytes before every frame's payload: payload length (4), stream id (4), type (1) and
/// flags (1), the numbers big-endian.
@frozen
public struct FrameHeader: Sendable, Hashable {
  /// The size of a header on the wire, in bytes.
  @inlinable public static var size: Int { 10 }

  /// The payload's length in bytes. A parsed header's is within the limit it was parsed with.
  public var payloadLength: UInt32
  /// The stream that the frame is about; `.connection` for the connection itself.
  public var stream: StreamID
  /// What the frame says.
  public var type: FrameType
  /// The frame's flags.
  public var flags: FrameFlags

  /// A header with these fields.
  @inlinable
  public init(
    payloadLength: UInt32, stream: StreamID, type: FrameType, flags: FrameFlags = []
  ) {
    self.payloadLength = payloadLength
    self.stream = stream
    self.type = type
    self.flags = flags
  }

  /// What a parse of the bytes received so far found.
  @frozen
  public enum Parsed: Sendable, Hashable {
    /// Fewer than ten bytes: come back with more.
    case incomplete
    /// A header whose payload is within the limit.
    case header(FrameHeader)
    /// The payload is longer than the limit. Nothing must be allocated for it.
    case tooLong(payloadLength: UInt32)
    /// The stream id is above 2³¹ − 1.
    case badStream(rawValue: UInt32)
  }

  /// Reads a header from the first ten of `bytes`, which may be any number of received bytes.
  ///
  /// Pure: looks at nothing else, allocates nothing, accepts every input.
  /// - Parameter maximumPayload: the longest payload that the receiver has agreed to, in bytes.
  @inlinable
  public static func parse(_ bytes: RawSpan, maximumPayload: Int) -> Parsed {
    guard bytes.byteCount >= size else { return .incomplete }
    // `unsafeLoadUnaligned` checks its bounds; "unsafe" is about the type, and every bit pattern
    // is a valid integer.
    let length = UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt32.self))
    let stream = UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let type = bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt8.self)
    let flags = bytes.unsafeLoadUnaligned(fromByteOffset: 9, as: UInt8.self)
    // Compared as UInt64: neither side can wrap, whatever the peer or the configuration says.
    guard UInt64(length) <= UInt64(clamping: maximumPayload) else {
      return .tooLong(payloadLength: length)
    }
    guard stream <= StreamID.last.rawValue else { return .badStream(rawValue: stream) }
    return .header(
      FrameHeader(
        payloadLength: length, stream: StreamID(stream), type: FrameType(rawValue: type),
        flags: FrameFlags(rawValue: flags)))
  }

  /// Writes the ten bytes at `pointer`, which must have room for them.
  @inlinable
  public func store(to pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: payloadLength.bigEndian, as: UInt32.self)
    pointer.storeBytes(of: stream.rawValue.bigEndian, toByteOffset: 4, as: UInt32.self)
    pointer.storeBytes(of: type.rawValue, toByteOffset: 8, as: UInt8.self)
    pointer.storeBytes(of: flags.rawValue, toByteOffset: 9, as: UInt8.self)
  }
}
