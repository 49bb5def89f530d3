import ProtobufWire

/// A full method name ("onside.v1.LoginService/CreateSession") with its encoding in a call header:
/// made once per method, so that opening a call copies bytes and formats nothing.
public struct MethodPath: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The field `method` of the call header: tag, length, UTF-8 bytes.
  let encoded: [UInt8]

  /// A method's path. Names longer than 1 KiB make no valid call and are cut.
  public init(_ name: String) {
    self.name = name
    let utf8 = Array(name.utf8.prefix(1024))
    encoded = [UInt8](unsafeUninitializedCapacity: utf8.count + 8) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      writer.writeTag(CallHeaderField.method)
      writer.writeBytes(utf8)
      count = writer.count
    }
  }
}

/// Tags of `rpc.v1.CallHeader`.
enum CallHeaderField {
  static let method = WireFormat.tag(1, .lengthDelimited)
  static let timeout = WireFormat.tag(2, .varint)
  static let metadata = WireFormat.tag(3, .lengthDelimited)
}
