import TestSupport
import ProtobufReflection

/// Makes messages of any type, with values at the edges of theirs more often than not.
struct RandomMessage {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func make(_ type: MessageType, depth: Int = 0) -> DynamicMessage {
    var message = DynamicMessage(type)
    if fill(&message, depth) { return message }
    // The schema of the conformance suite has 150 fields: few of them each time.
    let share = min(0.4, 12 / Double(type.fields.count)) / Double(depth + 1)
    for field in type.fields where Double.random(in: 0..<1, using: &random) < share {
      message[field.number] = content(field, depth)
    }
    return message
  }

  private mutating func content(_ field: MessageField, _ depth: Int) -> DynamicField {
    if let (key, value) = field.map {
      var entries: [DynamicValue: DynamicValue] = [:]
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        entries[self.value(key, depth)] = self.value(value, depth + 1)
      }
      return .map(entries)
    }
    guard field.isRepeated else { return .single(value(field, depth)) }
    return .list(
      (0..<Int.random(in: 0...3, using: &random)).map { _ in value(field, depth) })
  }

  private mutating func value(_ field: MessageField, _ depth: Int) -> DynamicValue {
    switch field.kind {
    case .bool: .bool(.random(using: &random))
    case .int32, .sint32, .sfixed32: .int32(integer())
    case .int64, .sint64, .sfixed64: .int64(integer())
    case .uint32, .fixed32: .uint32(integer())
    case .uint64, .fixed64: .uint64(integer())
    case .float: .float(pick([0.1, -1.5, .infinity, 3.4e38, 1e-37, 3]))
    case .double: .double(pick([0.1, -1.5, .nan, -.infinity, 5e-300, 1e300, 3]))
    case .string: .string(pick(["", "plain", "Zoë 🎈", "\"\\\u{1}\n", "\u{2028}"]))
    case .bytes, .group: .bytes((0..<Int.random(in: 0...5, using: &random)).map { _ in integer() })
    case .enumeration:
      .enumeration(field.enumType?.fullName == "google.protobuf.NullValue" ? 0 : pick([0, 1, 2]))
    case .message: field.messageType.map { .message(make($0, depth: depth + 1)) } ?? .bytes([])
    }
  }

  private mutating func integer<Value: FixedWidthInteger>() -> Value {
    pick([0, 1, .max, .min, 127, Value.random(in: .min ... .max, using: &random)])
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  /// Well-known types have values that mean nothing; they get others.
  private mutating func fill(_ message: inout DynamicMessage, _ depth: Int) -> Bool {
    switch message.type.fullName {
    case "google.protobuf.Timestamp":
      message[1] = .single(
        .int64(pick([-62_135_596_800, -1, 0, 1_709_164_800, 253_402_300_799])))
      message[2] = .single(.int32(pick([0, 1, 5_000, 120_000_000, 999_999_999])))
    case "google.protobuf.Duration":
      let sign: Int64 = pick([1, -1])
      message[1] = .single(.int64(sign * pick([0, 1, 86_400, 315_576_000_000])))
      message[2] = .single(.int32(Int32(sign) * pick([0, 1, 5_000, 120_000_000, 999_999_999])))
    case "google.protobuf.FieldMask":
      message[1] = .list([.string(pick(["a", "foo_bar", "a.b_c.d"])), .string("x")])
    case "google.protobuf.Any":
      guard depth < 3, let inner = message.type.pool(inner: pick([0, 1])) else { return true }
      message[1] = .single(.string("type.googleapis.com/" + inner.fullName))
      message[2] = .single(.bytes(make(inner, depth: depth + 1).serialized()))
    case "google.protobuf.Value":
      let number = depth > 3 ? UInt32(4) : pick([1, 2, 3, 4, 5, 6])
      guard let field = message.type.field(number) else { return true }
      message[number] =
        number == 2 ? .single(.double(pick([0, -2.5, 1e300]))) : content(field, depth)
    default: return false
    }
    return true
  }
}

extension MessageType {
  /// A type that an `Any` of this pool may hold.
  fileprivate func pool(inner index: Int) -> MessageType? {
    [
      Schema.wellKnown("Duration"),
      Schema.conformance.message(
        named: "protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage"),
    ][index]
  }
}
