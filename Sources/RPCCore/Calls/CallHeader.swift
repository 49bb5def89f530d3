import ProtobufWire

/// What a scan of a call header found; ranges refer to the frame's payload.
struct CallHeaderParts {
  var method: Range<Int> = 0..<0
  var timeoutMicroseconds: UInt64 = 0
  var metadataCount = 0
  /// A metadata entry breaks the rules.
  var hasBadEntry = false

  /// Scans the header block at `range` of a payload without allocating.
  init(_ payload: RawSpan, _ range: Range<Int>) throws(WireError) {
    var reader = WireReader(payload, range: range)
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      switch tag {
      case CallHeaderField.method: method = try reader.readRange()
      case CallHeaderField.timeout: timeoutMicroseconds = try reader.readVarint()
      case CallHeaderField.metadata:
        // At most one per two bytes of a bounded block: can't overflow.
        metadataCount += 1
        if try MetadataCoding.entry(&reader, in: payload) == nil { hasBadEntry = true }
      default: try reader.skipField(tag)
      }
    }
  }
}

/// A call header to be written.
@usableFromInline
struct OutboundCallHeader {
  let method: MethodPath
  let timeoutMicroseconds: UInt64?
  let metadata: Metadata
  /// Bytes of the header block.
  let size: Int

  @usableFromInline
  init(_ method: MethodPath, _ timeoutMicroseconds: UInt64?, _ metadata: Metadata) {
    self.method = method
    // 0 on the wire means "none": an expired call must not look like one without a deadline.
    self.timeoutMicroseconds = timeoutMicroseconds.map { max(1, $0) }
    self.metadata = metadata
    var size = method.encoded.count
    if let timeout = self.timeoutMicroseconds { size += 1 + WireFormat.varintSize(timeout) }
    if !metadata.isEmpty { size += MetadataCoding.size(metadata) }
    self.size = size
  }

  /// Bytes of the block with the length before it.
  var prefixedSize: Int { WireFormat.lengthDelimitedSize(size) }

  /// Writes length and block at the start of `room`.
  func write(to room: UnsafeMutableRawBufferPointer) {
    var writer = WireWriter(room)
    writer.writeVarint(UInt64(truncatingIfNeeded: size))
    writer.writeRaw(method.encoded.span.bytes)
    if let timeoutMicroseconds {
      writer.writeTag(CallHeaderField.timeout)
      writer.writeVarint(timeoutMicroseconds)
    }
    if !metadata.isEmpty {
      MetadataCoding.write(metadata, tag: CallHeaderField.metadata, to: &writer)
    }
  }
}
