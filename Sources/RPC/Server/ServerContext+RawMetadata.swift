import ProtobufWire
import RPCCore

extension ServerContext {
  /// Looks at the first ASCII value of a key without decoding the other metadata, for authorization
  /// rules and immediate handlers, in which it allocates nothing.
  ///
  /// - Parameters:
  ///   - key: As it is on the wire, in lower case.
  ///   - body: Gets the value's bytes, borrowed for the call; nil when the key isn't there.
  public func withMetadataValue<Result, Failure: Error>(
    _ key: String, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if borrowedMetadata.isEmpty {
      guard var text = metadata.first(key) else { return try body(nil) }
      return try text.withUTF8Bytes(body)
    }
    guard let range = borrowedRange(of: key) else { return try body(nil) }
    return try body(UnsafeRawBufferPointer(rebasing: borrowedMetadata[range]))
  }

  /// Where the first ASCII value of a key is in the borrowed header block.
  private func borrowedRange(of key: String) -> Range<Int>? {
    var reader = WireReader(borrowedMetadata.bytes)
    // The connection has checked the block: an error here means that the key isn't there.
    while let tag = try? reader.readTag(), tag != 0 {
      guard tag == CallHeaderLayout.metadata else {
        guard (try? reader.skipField(tag)) != nil else { return nil }
        continue
      }
      guard let entry = try? CallHeaderLayout.entry(&reader) else { return nil }
      if let value = entry.ascii, matches(key, entry.key) { return value }
    }
    return nil
  }

  private func matches(_ key: String, _ range: Range<Int>) -> Bool {
    let span = key.utf8Span.span
    guard span.count == range.count else { return false }
    return span.bytes.withUnsafeBytes { bytes in
      bytes.elementsEqual(UnsafeRawBufferPointer(rebasing: borrowedMetadata[range]))
    }
  }
}

extension String {
  fileprivate mutating func withUTF8Bytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = Array(utf8)
    return try bytes.span.bytes.withUnsafeBytes { bytes throws(Failure) in try body(bytes) }
  }
}

/// The parts of `rpc.v1.CallHeader` that are looked for in place.
private enum CallHeaderLayout {
  static let metadata = WireFormat.tag(3, .lengthDelimited)
  static let key = WireFormat.tag(1, .lengthDelimited)
  static let ascii = WireFormat.tag(2, .lengthDelimited)

  static func entry(
    _ reader: inout WireReader
  ) throws(WireError) -> (key: Range<Int>, ascii: Range<Int>?) {
    let outer = try reader.beginMessage()
    var found: (key: Range<Int>, ascii: Range<Int>?) = (0..<0, nil)
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0:
        reader.endMessage(outer)
        return found
      case key: found.key = try reader.readRange()
      case ascii: found.ascii = try reader.readRange()
      default: try reader.skipField(tag)
      }
    }
  }
}
