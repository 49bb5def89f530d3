import ProtobufWire

/// What a scan of an END found; ranges refer to the frame's payload.
struct EndParts {
  /// The encoded status; empty for a plain OK.
  var status: Range<Int>
  /// The bytes behind it.
  var message: Range<Int>
  var code = StatusCode.ok
  /// Every trailer keeps the rules, and there are at most 128.
  var hasValidTrailers = true

  /// Scans a payload without allocating.
  init(_ payload: RawSpan) throws(WireError) {
    var reader = WireReader(payload)
    status = try reader.readRange()
    message = status.upperBound..<payload.byteCount
    guard !status.isEmpty else { return }
    var fields = WireReader(payload, range: status)
    while true {
      let tag = try fields.readTag()
      if tag == 0 { break }
      switch tag {
      case StatusField.code: code = StatusCode(rawValue: UInt32(clamping: try fields.readVarint()))
      case StatusField.message: _ = try fields.readRange()
      case StatusField.detail: try EndParts.scanDetail(&fields)
      default: try fields.skipField(tag)
      }
    }
    hasValidTrailers = try MetadataCoding.isValid(
      payload, range: status, field: StatusField.trailer)
  }

  /// Checks that a detail can be decoded later.
  private static func scanDetail(_ reader: inout WireReader) throws(WireError) {
    let outer = try reader.beginMessage()
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      try reader.skipField(tag)
    }
    reader.endMessage(outer)
  }
}

extension MetadataCoding {
  /// Whether the repeated entries `field` of a message keep the rules and are at most 128.
  static func isValid(
    _ payload: RawSpan, range: Range<Int>? = nil, field: UInt32
  ) throws(WireError) -> Bool {
    var reader = WireReader(payload, range: range ?? 0..<payload.byteCount)
    var count = 0
    var isValid = true
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      guard tag == field else {
        try reader.skipField(tag)
        continue
      }
      // At most one per two bytes of a bounded block: can't overflow.
      count += 1
      if try entry(&reader, in: payload) == nil { isValid = false }
    }
    return isValid && count <= Metadata.maximumEntries
  }
}
