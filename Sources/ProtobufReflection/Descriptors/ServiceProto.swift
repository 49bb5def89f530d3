import ProtobufWire

/// `google.protobuf.ServiceDescriptorProto`.
struct ServiceProto: DescriptorPart {
  var name = ""
  var methods: [MethodProto] = []
  var options: [UInt8] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: try reader.readPart(appendingTo: &methods)
    case 3 << 3 | 2: options += try reader.readBytes()
    default: return false
    }
    return true
  }
}

/// `google.protobuf.MethodDescriptorProto`.
struct MethodProto: DescriptorPart {
  var name = ""
  var inputType = ""
  var outputType = ""
  var options: [UInt8] = []
  var isClientStreaming = false
  var isServerStreaming = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: inputType = try reader.readString()
    case 3 << 3 | 2: outputType = try reader.readString()
    case 4 << 3 | 2: options += try reader.readBytes()
    case 5 << 3 | 0: isClientStreaming = try reader.readBool()
    case 6 << 3 | 0: isServerStreaming = try reader.readBool()
    default: return false
    }
    return true
  }
}

/// What is read of `MessageOptions`, `FieldOptions`, `EnumOptions` and `MethodOptions`.
struct KnownOptions: DescriptorPart {
  /// `MessageOptions.map_entry`, field 7.
  var isMapEntry = false
  /// `FieldOptions.packed`, field 2; nil where the file doesn't say.
  var packed: Bool?
  /// `MethodOptions.idempotency_level`, field 34.
  var idempotency: Int32 = 0
  /// `rpc.v1.carries_credentials`, an extension of `MethodOptions`.
  var carriesCredentials = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 2 << 3 | 0: packed = try reader.readBool()
    case 7 << 3 | 0: isMapEntry = try reader.readBool()
    case 34 << 3 | 0: idempotency = try reader.readInt32()
    case 50601 << 3 | 0: carriesCredentials = try reader.readBool()
    default: return false
    }
    return true
  }
}
