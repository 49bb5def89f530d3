/// The fields of a message that its reader's schema doesn't have, as they arrived.
///
/// They are written again behind the known fields, so that a program with an older schema passes on
/// what it doesn't know.
public struct UnknownFields: Hashable, Sendable {
  /// Whole fields in wire format: each a tag and its value. No memory is taken while it is empty.
  public var bytes: [UInt8]

  /// No fields.
  @inlinable
  public init() {
    bytes = []
  }

  /// These fields, which have to be well-formed.
  @inlinable
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether there are none.
  @inlinable
  public var isEmpty: Bool { bytes.isEmpty }

  /// The bytes that `WireWriter.write(_:)` writes for them.
  @inlinable
  public var encodedSize: Int { bytes.count }
}
