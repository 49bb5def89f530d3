import ProtobufWire

/// Bytes in wire format that grow: dynamic messages are encoded without a size pass.
struct WireOutput {
  var bytes: [UInt8] = []

  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func appendTag(_ number: UInt32, _ type: WireType) {
    appendVarint(UInt64(WireFormat.tag(number, type)))
  }

  /// Appends a value without its tag.
  mutating func append<Coding: ScalarCoding>(_ value: Coding.Value, as coding: Coding.Type) {
    let size = Coding.size(of: value)
    bytes += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      Coding.write(value, to: &writer)
      count = writer.count
    }
  }

  /// Appends a length and these bytes.
  mutating func appendDelimited(_ content: [UInt8]) {
    appendVarint(UInt64(content.count))
    bytes += content
  }
}
