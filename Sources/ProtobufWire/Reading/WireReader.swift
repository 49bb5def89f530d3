/// A cursor that reads the wire format from borrowed bytes.
///
/// It never reads beyond its limit, never allocates by a number that a peer sent, and copies only
/// what it returns. After an error it is of no further use.
public struct WireReader: ~Escapable {
  @usableFromInline let bytes: RawSpan

  @usableFromInline var position: Int
  @usableFromInline var end: Int

  /// How many further messages and groups may be opened in this one.
  @usableFromInline var depth: Int

  /// How many bytes of elements may still be made.
  @usableFromInline var allowance: Int

  /// Reads all of a span.
  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, limits: DecodingLimits = DecodingLimits()) {
    self.bytes = bytes
    position = 0
    end = bytes.byteCount
    depth = limits.depth
    allowance = limits.allowance(inputBytes: end)
  }

  /// Reads a part of a span; offsets are still counted from the span's start.
  ///
  /// - Precondition: The range is within the span.
  @inlinable
  @_lifetime(copy bytes)
  public init(
    _ bytes: RawSpan, range: Range<Int>, limits: DecodingLimits = DecodingLimits()
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.byteCount)
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    depth = limits.depth
    allowance = limits.allowance(inputBytes: range.count)
  }
}

extension WireReader {
  /// Where the next byte is read, from the start of the buffer.
  @inlinable
  public var offset: Int { position }

  /// The end of the message, or of the nested message, that is being read.
  @inlinable
  public var limit: Int { end }

  /// Whether everything up to the limit has been read.
  @inlinable
  public var isAtEnd: Bool { offset >= limit }

  /// Bytes up to the limit.
  @inlinable
  public var remaining: Int { limit - offset }

  /// The byte at an offset that the caller has compared with `end`.
  @inlinable @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    // Unchecked, since `end` is never beyond the span: it starts within it and only shrinks.
    bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// An error of this kind at this place.
  @usableFromInline
  func error(_ code: WireError.Code) -> WireError {
    WireError(code, at: offset)
  }

  /// Moves behind the next `count` bytes and returns where they start.
  @inlinable
  mutating func advance(_ count: Int) throws(WireError) -> Int {
    guard count <= limit - offset else { throw error(.truncated) }
    let start = position
    position += count
    return start
  }

  /// Takes from what decoding may cost in memory.
  ///
  /// - Throws: `WireError.Code.tooLarge` when less is left.
  @inlinable
  public mutating func charge(_ bytes: Int) throws(WireError) {
    guard bytes <= allowance else { throw error(.tooLarge) }
    allowance -= bytes
  }
}
