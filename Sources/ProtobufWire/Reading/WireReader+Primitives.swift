extension WireReader {
  /// Reads the tag of the next field: `field << 3 | wire type`.
  ///
  /// - Returns: 0 at the end of the message. The wire type isn't checked: a `switch` over known
  ///   tags does that, and `skipField(_:)` for the others.
  /// - Throws: `.invalidFieldNumber` for a field number of 0 or above 2²⁹ − 1; errors of a varint.
  @inlinable
  public mutating func readTag() throws(WireError) -> UInt32 {
    guard offset < limit else { return 0 }
    let first = byte(at: offset)
    if first < 0x80, first >= 8 {
      position += 1
      return UInt32(first)
    }
    return try readLongTag()
  }

  @usableFromInline
  mutating func readLongTag() throws(WireError) -> UInt32 {
    let start = offset
    let value = try readVarint()
    guard value >= 8, value <= UInt64(UInt32.max) else {
      throw WireError(.invalidFieldNumber, at: start)
    }
    return UInt32(truncatingIfNeeded: value)
  }

  /// Reads an unsigned varint of at most 10 bytes.
  ///
  /// - Throws: `.malformedVarint` for an eleventh byte or a number above 2⁶⁴ − 1; `.truncated`.
  @inlinable
  public mutating func readVarint() throws(WireError) -> UInt64 {
    guard offset < limit else { throw error(.truncated) }
    let first = byte(at: offset)
    if first < 0x80 {
      position += 1
      return UInt64(first)
    }
    return try readLongVarint()
  }

  @usableFromInline
  mutating func readLongVarint() throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var next = position
    while next < end {
      let byte = byte(at: next)
      next += 1
      // The tenth byte has room for one bit only.
      if shift == 63, byte > 1 { throw error(.malformedVarint) }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 {
        position = next
        return value
      }
      shift += 7
    }
    throw error(.truncated)
  }

  /// Reads 4 bytes, the lowest first.
  @inlinable
  public mutating func readFixed32() throws(WireError) -> UInt32 {
    // `advance` checks that the bytes are there, and the load does again.
    let start = try advance(4)
    return UInt32(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self))
  }

  /// Reads 8 bytes, the lowest first.
  @inlinable
  public mutating func readFixed64() throws(WireError) -> UInt64 {
    // As above.
    let start = try advance(8)
    return UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// Reads the length of what follows, which is all there.
  ///
  /// - Throws: `.truncated` when less than that is left in the message.
  @inlinable
  public mutating func readLength() throws(WireError) -> Int {
    let length = try readVarint()
    guard length <= UInt64(limit - offset) else { throw error(.truncated) }
    return Int(length)
  }

  /// Reads a length-delimited value as its place: the range of its bytes, counted from the start of
  /// the buffer. Nothing is copied or checked.
  @inlinable
  public mutating func readRange() throws(WireError) -> Range<Int> {
    let length = try readLength()
    let start = try advance(length)
    return start..<(start + length)
  }

  /// Reads a string.
  ///
  /// - Throws: `.invalidUTF8` when the bytes aren't UTF-8; nothing is repaired.
  @inlinable
  public mutating func readString() throws(WireError) -> String {
    let range = try readRange()
    if range.isEmpty { return "" }
    let span = Span<UInt8>(_bytes: bytes.extracting(range))
    do {
      return String(copying: try UTF8Span(validating: span))
    } catch {
      throw WireError(.invalidUTF8, at: range.lowerBound)
    }
  }

  /// Reads bytes into an array of their own.
  @inlinable
  public mutating func readBytes() throws(WireError) -> [UInt8] {
    let range = try readRange()
    if range.isEmpty { return [] }
    return bytes.extracting(range).withUnsafeBytes { [UInt8]($0) }
  }
}
