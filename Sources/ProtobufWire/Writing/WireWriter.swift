/// A cursor that writes the wire format into raw memory of the caller.
///
/// The memory has to be large enough for what is written: its size comes from the size pass.
/// Writing beyond it is a programming error and stops the program.
public struct WireWriter: ~Copyable {
  @usableFromInline let buffer: UnsafeMutableRawBufferPointer
  @usableFromInline var plan: SizePlan
  @usableFromInline var position: Int

  /// Starts at the beginning of a buffer, which has to outlive the writer.
  @inlinable
  public init(_ buffer: UnsafeMutableRawBufferPointer, plan: SizePlan = SizePlan()) {
    self.buffer = buffer
    self.plan = plan
    position = 0
  }

  /// The number of bytes written.
  @inlinable
  public var count: Int { position }

  /// Bytes of the buffer that are left.
  @inlinable
  public var remaining: Int { buffer.count - position }
}

extension WireWriter {
  /// Room for `size` more bytes, which the caller has to fill.
  @inlinable @inline(__always)
  mutating func advance(_ size: Int) -> UnsafeMutableRawPointer {
    precondition(size <= buffer.count - position, "the buffer is smaller than the message")
    // A buffer with room for a byte has an address, and no caller asks for room for none.
    let place = buffer.baseAddress.unsafelyUnwrapped + position
    position += size
    return place
  }

  /// Writes bytes as they are: a spliced part of a message, without a tag or length.
  @inlinable
  public mutating func writeRaw(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    advance(bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Writes bytes as they are: a spliced part of a message, without a tag or length.
  @inlinable
  public mutating func writeRaw(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { writeRaw($0) }
  }

  /// Writes the fields that a message had and its schema doesn't.
  @inlinable
  public mutating func write(_ fields: UnknownFields) {
    if !fields.isEmpty { writeRaw(fields.bytes.span.bytes) }
  }

  /// Writes an unsigned varint, 1 to 10 bytes.
  @inlinable @inline(__always)
  public mutating func writeVarint(_ value: UInt64) {
    if value < 0x80 {
      advance(1).storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    } else {
      writeLongVarint(value)
    }
  }

  @usableFromInline
  mutating func writeLongVarint(_ value: UInt64) {
    let size = WireFormat.varintSize(value)
    let place = advance(size)
    var rest = value
    for index in 0..<(size - 1) {
      place.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: index, as: UInt8.self)
      rest >>= 7
    }
    place.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: size - 1, as: UInt8.self)
  }

  /// Writes a tag: field number and wire type, as `WireFormat.tag` makes it.
  @inlinable @inline(__always)
  public mutating func writeTag(_ tag: UInt32) {
    writeVarint(UInt64(tag))
  }

  /// Writes 4 bytes, the lowest first.
  @inlinable
  public mutating func writeFixed32(_ value: UInt32) {
    advance(4).storeBytes(of: value.littleEndian, as: UInt32.self)
  }

  /// Writes 8 bytes, the lowest first.
  @inlinable
  public mutating func writeFixed64(_ value: UInt64) {
    advance(8).storeBytes(of: value.littleEndian, as: UInt64.self)
  }

  /// Writes a length and the UTF-8 bytes of a string.
  @inlinable
  public mutating func writeString(_ value: String) {
    // Cheaper than `utf8Span`, and always available: strings are UTF-8 in memory here.
    let isContiguous: Void? = value.utf8.withContiguousStorageIfAvailable { utf8 in
      writeLengthDelimited(UnsafeRawBufferPointer(utf8))
    }
    if isContiguous == nil { writeBytes([UInt8](value.utf8)) }
  }

  /// Writes a length and bytes.
  @inlinable
  public mutating func writeBytes(_ value: [UInt8]) {
    value.withUnsafeBytes { writeLengthDelimited($0) }
  }

  /// Writes a length and bytes.
  @inlinable
  public mutating func writeLengthDelimited(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    guard count < 0x80, let source = bytes.baseAddress else {
      writeVarint(UInt64(count))
      writeRaw(bytes)
      return
    }
    let place = advance(count + 1)
    place.storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
    (place + 1).copyMemory(from: source, byteCount: count)
  }
}
