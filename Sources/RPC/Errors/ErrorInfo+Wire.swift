import ProtobufWire

// `rpc.v1.ErrorInfo` of Proto/rpc/v1/errors.proto, written by hand: this module is beneath the
// generated ones.

extension ErrorInfo {
  private static let reasonTag = WireFormat.tag(1, .lengthDelimited)
  private static let domainTag = WireFormat.tag(2, .lengthDelimited)
  private static let valuesTag = WireFormat.tag(3, .lengthDelimited)

  /// The info as a detail of a status. The values go in the order of their names.
  public var detail: StatusDetail {
    let sorted = values.sorted { $0.key < $1.key }
    var size = Self.fieldSize(reason) + Self.fieldSize(domain)
    for (name, value) in sorted {
      size += 1 + WireFormat.lengthDelimitedSize(Self.entrySize(name, value))
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      write(sorted, into: &writer)
      count = writer.count
    }
    return StatusDetail(typeURL: Self.typeURL, value: bytes)
  }

  private func write(_ values: [(key: String, value: String)], into writer: inout WireWriter) {
    Self.write(Self.reasonTag, reason, into: &writer)
    Self.write(Self.domainTag, domain, into: &writer)
    for (name, value) in values {
      writer.writeTag(Self.valuesTag)
      writer.writeVarint(UInt64(Self.entrySize(name, value)))
      Self.write(Self.reasonTag, name, into: &writer)
      Self.write(Self.domainTag, value, into: &writer)
    }
  }

  private static func write(_ tag: UInt32, _ text: String, into writer: inout WireWriter) {
    guard !text.isEmpty else { return }
    writer.writeTag(tag)
    writer.writeString(text)
  }

  private static func fieldSize(_ text: String) -> Int {
    text.isEmpty ? 0 : 1 + WireFormat.lengthDelimitedSize(text.utf8.count)
  }

  private static func entrySize(_ name: String, _ value: String) -> Int {
    fieldSize(name) + fieldSize(value)
  }

  /// Reads an info from a detail; nil when its bytes aren't one.
  public init?(_ detail: StatusDetail) {
    self.init(reason: "", domain: "")
    do throws(WireError) {
      var reader = WireReader(detail.value.span.bytes)
      while true {
        let tag = try reader.readTag()
        switch tag {
        case 0: return
        case Self.reasonTag: reason = try reader.readString()
        case Self.domainTag: domain = try reader.readString()
        case Self.valuesTag:
          let (name, value) = try Self.readEntry(&reader)
          values[name] = value
        default: try reader.skipField(tag)
        }
      }
    } catch {
      return nil
    }
  }

  private static func readEntry(
    _ reader: inout WireReader
  ) throws(WireError) -> (String, String) {
    var name = ""
    var value = ""
    let outer = try reader.beginMessage()
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0:
        reader.endMessage(outer)
        return (name, value)
      case reasonTag: name = try reader.readString()
      case domainTag: value = try reader.readString()
      default: try reader.skipField(tag)
      }
    }
  }
}
