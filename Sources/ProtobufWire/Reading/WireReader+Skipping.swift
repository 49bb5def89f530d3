extension WireReader {
  /// Keeps a field that the schema doesn't have.
  ///
  /// - Throws: `.unmatchedGroup` for a group's end without a start; `.invalidWireType`.
  public mutating func readUnknown(
    _ tag: UInt32, into fields: inout UnknownFields
  ) throws(WireError) {
    let start = offset
    try skipField(tag)
    if fields.isEmpty { try charge(48) }
    appendVarint(tag, to: &fields.bytes)
    bytes.extracting(start..<offset).withUnsafeBytes {
      fields.bytes.append(contentsOf: $0)
    }
  }

  /// Moves behind the value of a field whose tag has been read. Groups are skipped with all that is
  /// in them, in a loop, so that no input can exhaust the stack.
  ///
  /// - Throws: `.unmatchedGroup` for a group's end without a start; `.invalidWireType`.
  public mutating func skipField(_ tag: UInt32) throws(WireError) {
    guard let type = WireType(rawValue: tag & 7) else { throw error(.invalidWireType) }
    switch type {
    case .varint: _ = try readVarint()
    case .fixed64: _ = try advance(8)
    case .lengthDelimited: _ = try readRange()
    case .fixed32: _ = try advance(4)
    case .startGroup: try skipGroup(tag >> 3)
    case .endGroup: throw error(.unmatchedGroup)
    }
  }

  private mutating func skipGroup(_ field: UInt32) throws(WireError) {
    guard depth > 0 else { throw error(.tooDeep) }
    var open = [field]
    while let innermost = open.last {
      let tag = try readTag()
      switch WireType(rawValue: tag & 7) {
      case .startGroup:
        guard open.count < depth else { throw error(.tooDeep) }
        open.append(tag >> 3)
      case .endGroup:
        guard tag >> 3 == innermost else { throw error(.unmatchedGroup) }
        open.removeLast()
      default:
        // 0 is the end of the message that the group is in.
        guard tag != 0 else { throw error(.unmatchedGroup) }
        try skipField(tag)
      }
    }
  }

  private func appendVarint(_ value: UInt32, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
