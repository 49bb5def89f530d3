public import ProtobufWire

extension DynamicMessage {
  /// Limits for messages whose fields are values of enumerations in dictionaries: an element takes
  /// ten times the memory that it takes in a generated struct.
  public static let decodingLimits = DecodingLimits(expansion: 192)

  /// Reads a message.
  ///
  /// - Throws: `WireError` when the bytes are not a message of this type or go beyond `limits`.
  public init(
    serialized bytes: [UInt8], as type: MessageType, limits: DecodingLimits = decodingLimits
  ) throws(WireError) {
    self.init(type)
    var reader = WireReader(bytes.span.bytes, limits: limits)
    try merge(from: &reader)
  }

  /// Reads fields up to the reader's limit into this value.
  mutating func merge(from reader: inout WireReader) throws(WireError) {
    while true {
      let tag = try reader.readTag()
      if tag == 0 { return }
      guard let field = type.field(tag >> 3), let wire = WireType(rawValue: tag & 7),
        try readField(field, wire, from: &reader)
      else {
        try reader.readUnknown(tag, into: &unknownFields)
        continue
      }
    }
  }

  /// - Returns: False when the field isn't laid out as its type is; nothing has been read then.
  private mutating func readField(
    _ field: MessageField, _ wire: WireType, from reader: inout WireReader
  ) throws(WireError) -> Bool {
    if field.kind == .group { return false }
    if let (key, value) = field.map, wire == .lengthDelimited {
      try readEntry(of: field, key, value, from: &reader)
      return true
    }
    guard wire == field.kind.wireType else {
      guard field.isRepeated, field.kind.isPackable, wire == .lengthDelimited else { return false }
      try readPacked(field, from: &reader)
      return true
    }
    if field.isRepeated {
      var values = takeList(field.number)
      defer { self[field.number] = .list(values) }
      try append(to: &values, field, from: &reader)
    } else if field.kind == .message {
      try readMessage(field, from: &reader)
    } else {
      let value = try Self.scalar(field.kind, from: &reader)
      if isKnown(value, in: field) { self[field.number] = .single(value) }
    }
    return true
  }

  private mutating func append(
    to values: inout [DynamicValue], _ field: MessageField, from reader: inout WireReader
  ) throws(WireError) {
    try reader.charge(2 * MemoryLayout<DynamicValue>.stride)
    guard field.kind == .message, let type = field.messageType else {
      let value = try Self.scalar(field.kind, from: &reader)
      if isKnown(value, in: field) { values.append(value) }
      return
    }
    var message = DynamicMessage(type)
    try message.readBody(from: &reader)
    values.append(.message(message))
  }

  private mutating func readMessage(
    _ field: MessageField, from reader: inout WireReader
  ) throws(WireError) {
    guard let type = field.messageType else { return }
    var message = DynamicMessage(type)
    if case .message(let old)? = single(field.number) { message = old }
    try message.readBody(from: &reader)
    self[field.number] = .single(.message(message))
  }

  private mutating func readBody(from reader: inout WireReader) throws(WireError) {
    // The dictionary of the message's fields.
    try reader.charge(256)
    let outer = try reader.beginMessage()
    try merge(from: &reader)
    reader.endMessage(outer)
  }

  private mutating func readPacked(
    _ field: MessageField, from reader: inout WireReader
  ) throws(WireError) {
    var values = takeList(field.number)
    defer { self[field.number] = .list(values) }
    // Not a message, but laid out like one; it may be as deep as one too.
    let outer = try reader.beginMessage()
    while !reader.isAtEnd { try append(to: &values, field, from: &reader) }
    reader.endMessage(outer)
  }

  private mutating func readEntry(
    of field: MessageField, _ keyField: MessageField, _ valueField: MessageField,
    from reader: inout WireReader
  ) throws(WireError) {
    guard let type = field.messageType else { return }
    try reader.charge(4 * MemoryLayout<DynamicValue>.stride)
    var entry = DynamicMessage(type)
    try entry.readBody(from: &reader)
    let key = entry.single(1) ?? keyField.defaultValue
    let value = entry.single(2) ?? valueField.defaultValue
    // An entry whose value a closed enumeration doesn't have is unknown as a whole.
    if valueField.kind == .enumeration, valueField.enumType?.isClosed == true,
      !entry.unknownFields.isEmpty
    {
      appendUnknown(field.number << 3 | 2, BytesCoding.self, entry.serialized())
      return
    }
    var entries = takeMap(field.number)
    entries[key] = value
    self[field.number] = .map(entries)
  }

  /// Keeps the number of a closed enumeration's unknown value with the unknown fields.
  private mutating func isKnown(_ value: DynamicValue, in field: MessageField) -> Bool {
    guard case .enumeration(let number) = value, let type = field.enumType, type.isClosed,
      type.name(of: number) == nil
    else { return true }
    appendUnknown(field.number << 3 | 0, Int32Coding.self, number)
    return false
  }

  private mutating func appendUnknown<Coding: ScalarCoding>(
    _ tag: UInt32, _ coding: Coding.Type, _ value: Coding.Value
  ) {
    var output = WireOutput(bytes: unknownFields.bytes)
    output.appendVarint(UInt64(tag))
    output.append(value, as: Coding.self)
    unknownFields.bytes = output.bytes
  }

  private static func scalar(
    _ kind: FieldKind, from reader: inout WireReader
  ) throws(WireError) -> DynamicValue {
    switch kind {
    case .double: .double(try reader.read(as: DoubleCoding.self))
    case .float: .float(try reader.read(as: FloatCoding.self))
    case .int64: .int64(try reader.read(as: Int64Coding.self))
    case .uint64: .uint64(try reader.read(as: UInt64Coding.self))
    case .int32: .int32(try reader.read(as: Int32Coding.self))
    case .fixed64: .uint64(try reader.read(as: Fixed64Coding.self))
    case .fixed32: .uint32(try reader.read(as: Fixed32Coding.self))
    case .bool: .bool(try reader.read(as: BoolCoding.self))
    case .string: .string(try reader.readString())
    case .bytes, .message, .group: .bytes(try reader.readBytes())
    case .uint32: .uint32(try reader.read(as: UInt32Coding.self))
    case .enumeration: .enumeration(try reader.read(as: Int32Coding.self))
    case .sfixed32: .int32(try reader.read(as: SFixed32Coding.self))
    case .sfixed64: .int64(try reader.read(as: SFixed64Coding.self))
    case .sint32: .int32(try reader.read(as: SInt32Coding.self))
    case .sint64: .int64(try reader.read(as: SInt64Coding.self))
    }
  }
}
