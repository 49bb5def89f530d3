import ProtobufWire

/// Tags of `rpc.v1.StatusMessage` and its details.
enum StatusField {
  static let code = WireFormat.tag(1, .varint)
  static let message = WireFormat.tag(2, .lengthDelimited)
  static let detail = WireFormat.tag(3, .lengthDelimited)
  static let trailer = WireFormat.tag(4, .lengthDelimited)
  static let detailType = WireFormat.tag(1, .lengthDelimited)
  static let detailValue = WireFormat.tag(2, .lengthDelimited)
}

extension Status {
  /// Decodes the status of an END (`InboundEnd.status`); no bytes are a plain OK. A text that isn't
  /// UTF-8 is repaired: it is for people.
  public init(decoding bytes: RawSpan) throws(WireError) {
    self.init(code: .ok)
    var reader = WireReader(bytes)
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      switch tag {
      case StatusField.code: code = StatusCode(rawValue: UInt32(clamping: try reader.readVarint()))
      case StatusField.message:
        message = MetadataCoding.text(bytes.extracting(try reader.readRange()))
      case StatusField.detail: details.append(try Status.detail(&reader, in: bytes))
      default: try reader.skipField(tag)
      }
    }
    trailers = try Metadata(field: StatusField.trailer, of: bytes)
    if code != .ok {
      let text = try MetadataCoding.reserved(
        RetryPushback.key, field: StatusField.trailer, of: bytes)
      pushback = text.map { RetryPushback(parsing: $0) }
    }
  }

  private static func detail(
    _ reader: inout WireReader, in bytes: RawSpan
  ) throws(WireError) -> StatusDetail {
    var detail = StatusDetail(typeURL: "", value: [])
    let outer = try reader.beginMessage()
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      switch tag {
      case StatusField.detailType:
        detail.typeURL = MetadataCoding.text(bytes.extracting(try reader.readRange()))
      case StatusField.detailValue: detail.value = try reader.readBytes()
      default: try reader.skipField(tag)
      }
    }
    reader.endMessage(outer)
    return detail
  }

  /// The status as END carries it: the text cut to 8 KiB at a scalar; when the whole is above
  /// `maximumEncodedBytes`, without the trailers, and then without the details. Plain OK is empty.
  @usableFromInline
  package func encoded() -> [UInt8] {
    guard code != .ok || !trailers.isEmpty || !details.isEmpty || !message.isEmpty else {
      return []
    }
    var reduced = self
    if code != .ok, let pushback {
      // The protocol's own entry comes first, so that a limit doesn't cut it off.
      reduced.trailers.insertReserved(RetryPushback.key, pushback.text)
    }
    reduced.message = Status.cut(message, to: Status.maximumMessageBytes)
    if reduced.encodedSize > Status.maximumEncodedBytes { reduced.trailers = Metadata() }
    if reduced.encodedSize > Status.maximumEncodedBytes { reduced.details = [] }
    return [UInt8](unsafeUninitializedCapacity: reduced.encodedSize) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      reduced.write(to: &writer)
      count = writer.count
    }
  }

  /// The longest prefix of whole scalars within `limit` UTF-8 bytes.
  static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    while end > text.utf8.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }

  private var encodedSize: Int {
    var size = 0
    if code != .ok { size += 1 + WireFormat.varintSize(code.rawValue) }
    if !message.isEmpty { size += 1 + WireFormat.lengthDelimitedSize(message.utf8.count) }
    for detail in details {
      size += 1 + WireFormat.lengthDelimitedSize(Status.encodedSize(detail))
    }
    return size + MetadataCoding.size(trailers)
  }

  private static func encodedSize(_ detail: StatusDetail) -> Int {
    2 + WireFormat.lengthDelimitedSize(detail.typeURL.utf8.count)
      + WireFormat.lengthDelimitedSize(detail.value.count)
  }

  private func write(to writer: inout WireWriter) {
    if code != .ok {
      writer.writeTag(StatusField.code)
      writer.writeVarint(UInt64(code.rawValue))
    }
    if !message.isEmpty {
      writer.writeTag(StatusField.message)
      writer.writeString(message)
    }
    for detail in details {
      writer.writeTag(StatusField.detail)
      writer.writeVarint(UInt64(Status.encodedSize(detail)))
      writer.writeTag(StatusField.detailType)
      writer.writeString(detail.typeURL)
      writer.writeTag(StatusField.detailValue)
      writer.writeBytes(detail.value)
    }
    MetadataCoding.write(trailers, tag: StatusField.trailer, to: &writer)
  }
}
