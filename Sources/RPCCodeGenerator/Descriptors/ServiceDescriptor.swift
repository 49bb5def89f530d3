import ProtobufWire

/// `google.protobuf.ServiceDescriptorProto`.
struct ServiceDescriptor: DescriptorPart {
  var name = ""
  var methods: [MethodDescriptor] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: try reader.readPart(appendingTo: &methods)
    default: return false
    }
    return true
  }
}

/// `google.protobuf.MethodDescriptorProto`.
struct MethodDescriptor: DescriptorPart {
  var name = ""
  var inputType = ""
  var outputType = ""
  var options = MethodOptions()
  var isClientStreaming = false
  var isServerStreaming = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: inputType = try reader.readString()
    case 3 << 3 | 2: outputType = try reader.readString()
    case 4 << 3 | 2: try reader.readPart(into: &options)
    case 5 << 3 | 0: isClientStreaming = try reader.readBool()
    case 6 << 3 | 0: isServerStreaming = try reader.readBool()
    default: return false
    }
    return true
  }
}

/// `google.protobuf.MethodOptions`, with the extension of `rpc/v1/options.proto`.
struct MethodOptions: DescriptorPart {
  /// `google.protobuf.MethodOptions.IdempotencyLevel`.
  enum Idempotency: Int32 {
    case unknown = 0
    case noSideEffects = 1
    case idempotent = 2
  }

  var idempotency = Idempotency.unknown
  /// `rpc.v1.carries_credentials`.
  var carriesCredentials = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 34 << 3 | 0: idempotency = Idempotency(rawValue: try reader.readInt32()) ?? .unknown
    case 50601 << 3 | 0: carriesCredentials = try reader.readBool()
    default: return false
    }
    return true
  }
}
