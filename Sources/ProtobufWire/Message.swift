/// A protobuf message: a value with fields, that can be written to and read from the wire.
///
/// Generated structs conform to it. The three functions of the codec work in the buffers of their
/// caller; the conveniences in `Message+Serialization.swift` make arrays.
public protocol Message: Sendable, Equatable {
  /// A message in which every field has its default value.
  init()

  /// The full name in the schema: "onside.v1.Profile".
  static var protoName: String { get }

  /// What was read and isn't in the schema.
  var unknownFields: UnknownFields { get set }

  /// The number of bytes that `encode(into:)` writes for this value.
  ///
  /// Adds the sizes of nested messages to `plan` in the order in which they are encoded, so that
  /// encoding doesn't compute them again. Doesn't allocate for a message without nested ones.
  func encodedSize(_ plan: inout SizePlan) -> Int

  /// Writes the fields, and takes the sizes of nested messages from the writer's plan.
  func encode(into writer: inout WireWriter)

  /// Reads fields up to the reader's limit into this value: a singular field is replaced, or merged
  /// where it is a message; a repeated one grows.
  ///
  /// - Throws: `WireError` at the first malformed field; the value then holds what came before it.
  mutating func merge(from reader: inout WireReader) throws(WireError)
}
