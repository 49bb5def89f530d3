import ProtobufWire

/// Tags of `rpc.v1.Headers`.
enum HeadersField {
  static let metadata = WireFormat.tag(1, .lengthDelimited)
}

/// Tags of `rpc.v1.MetadataEntry`.
enum MetadataEntryField {
  static let key = WireFormat.tag(1, .lengthDelimited)
  static let ascii = WireFormat.tag(2, .lengthDelimited)
  static let binary = WireFormat.tag(3, .lengthDelimited)
}

/// Where the parts of one received entry are.
struct MetadataEntryRanges {
  var key: Range<Int> = 0..<0
  var value: Range<Int> = 0..<0
  var isBinary = false
}

/// Why a block with metadata is refused.
enum MetadataFault: Error {
  /// Not protobuf, or a key or value that the rules don't allow.
  case malformed
}

extension Metadata {
  /// Reads the entries in the repeated field `field` of the message in `bytes`. Entries whose key
  /// is reserved are the protocol's business and are left out.
  init(field: UInt32, of bytes: RawSpan) throws(WireError) {
    self.init()
    var reader = WireReader(bytes)
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      guard tag == field else {
        try reader.skipField(tag)
        continue
      }
      let start = reader.offset
      guard let entry = try MetadataCoding.entry(&reader, in: bytes) else {
        throw WireError(.invalidUTF8, at: start)
      }
      append(entry, in: bytes)
    }
  }

  private mutating func append(_ entry: MetadataEntryRanges, in bytes: RawSpan) {
    let key = MetadataCoding.text(bytes.extracting(entry.key))
    guard !MetadataRules.isReserved(key.utf8) else { return }
    let value = bytes.extracting(entry.value)
    let decoded: Value =
      entry.isBinary
      ? .binary(value.withUnsafeBytes { [UInt8]($0) }) : .ascii(MetadataCoding.text(value))
    entries.append(Entry(key: key, value: decoded))
  }
}

/// Encoding and checking of metadata entries on the wire.
enum MetadataCoding {
  /// The text of the first entry with this key in the repeated field `field` of the message in
  /// `bytes`: for the protocol's own keys, which a `Metadata` doesn't show. A binary value is empty
  /// text.
  static func reserved(
    _ key: StaticString, field: UInt32, of bytes: RawSpan
  ) throws(WireError) -> String? {
    var reader = WireReader(bytes)
    while true {
      let tag = try reader.readTag()
      if tag == 0 { return nil }
      guard tag == field else {
        try reader.skipField(tag)
        continue
      }
      guard let entry = try entry(&reader, in: bytes), isKey(entry.key, key, in: bytes) else {
        continue
      }
      return entry.isBinary ? "" : text(bytes.extracting(entry.value))
    }
  }

  private static func isKey(
    _ range: Range<Int>, _ key: StaticString, in bytes: RawSpan
  ) -> Bool {
    bytes.extracting(range).withUnsafeBytes { found in
      key.withUTF8Buffer { found.elementsEqual($0) }
    }
  }

  /// Reads one entry whose tag has been read; nil when its key or value breaks the rules.
  static func entry(
    _ reader: inout WireReader, in bytes: RawSpan
  ) throws(WireError) -> MetadataEntryRanges? {
    let outer = try reader.beginMessage()
    var entry = MetadataEntryRanges()
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      switch tag {
      case MetadataEntryField.key: entry.key = try reader.readRange()
      case MetadataEntryField.ascii:
        entry.value = try reader.readRange()
        entry.isBinary = false
      case MetadataEntryField.binary:
        entry.value = try reader.readRange()
        entry.isBinary = true
      default: try reader.skipField(tag)
      }
    }
    reader.endMessage(outer)
    return isValid(entry, in: bytes) ? entry : nil
  }

  private static func isValid(_ entry: MetadataEntryRanges, in bytes: RawSpan) -> Bool {
    guard (1...Metadata.maximumKeyBytes).contains(entry.key.count) else { return false }
    // The loads check their bounds; the ranges were read from these bytes.
    for offset in entry.key
    where !MetadataRules.isKeyByte(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) {
      return false
    }
    guard !entry.isBinary else { return true }
    // As above.
    for offset in entry.value
    where !MetadataRules.isValue(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) {
      return false
    }
    return true
  }

  /// Text of bytes that were checked to be ASCII; anything else is repaired, never trapped on.
  static func text(_ bytes: RawSpan) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Bytes of all entries as a repeated field with a tag of one byte.
  static func size(_ metadata: Metadata) -> Int {
    var size = 0
    for entry in metadata.entries {
      size += 1 + WireFormat.lengthDelimitedSize(entrySize(entry))
    }
    return size
  }

  /// Writes all entries as the repeated field `tag`, one byte long.
  static func write(_ metadata: Metadata, tag: UInt32, to writer: inout WireWriter) {
    for entry in metadata.entries {
      writer.writeTag(tag)
      writer.writeVarint(UInt64(entrySize(entry)))
      writer.writeTag(MetadataEntryField.key)
      writer.writeString(entry.key)
      switch entry.value {
      case .ascii(let text):
        writer.writeTag(MetadataEntryField.ascii)
        writer.writeString(text)
      case .binary(let bytes):
        writer.writeTag(MetadataEntryField.binary)
        writer.writeBytes(bytes)
      }
    }
  }

  private static func entrySize(_ entry: Metadata.Entry) -> Int {
    let value =
      switch entry.value {
      case .ascii(let text): text.utf8.count
      case .binary(let bytes): bytes.count
      }
    return 2 + WireFormat.lengthDelimitedSize(entry.key.utf8.count)
      + WireFormat.lengthDelimitedSize(value)
  }
}
