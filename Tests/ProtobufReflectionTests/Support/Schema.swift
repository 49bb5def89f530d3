import ConformanceMessages
import Foundation
import ProtobufReflection
import ProtobufWire

/// The schemas of the tests.
enum Schema {
  /// `test/v1/kinds.proto`: every kind of field.
  static let kinds = pool([.testV1Kinds])

  /// The messages of the official conformance suite, with all well-known types.
  static let conformance = pool([.googleProtobufTestMessagesProto3])

  static func kind(_ name: String) -> MessageType { type("test.v1." + name, kinds) }

  static var testAllTypes: MessageType {
    type("protobuf_test_messages.proto3.TestAllTypesProto3", conformance)
  }

  static func wellKnown(_ name: String) -> MessageType {
    type("google.protobuf." + name, conformance)
  }

  static func type(_ name: String, _ pool: DescriptorPool) -> MessageType {
    guard let type = pool.message(named: name) else { fatalError("\(name) isn't in the pool") }
    return type
  }

  private static func pool(_ files: [ProtoFile]) -> DescriptorPool {
    do {
      return try DescriptorPool(files)
    } catch {
      fatalError("\(error)")
    }
  }
}

/// Bytes from hexadecimal digits; spaces are for the reader.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  precondition(digits.count.isMultiple(of: 2), "an odd number of digits in \(text)")
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Whether two JSON texts are the same but for space, the order of names and how numbers are
/// written; by Foundation's parser.
func isSameJSON(_ left: String, _ right: String) throws -> Bool {
  func tree(_ text: String) throws -> NSObject? {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
  }
  return try tree(left) == tree(right)
}
