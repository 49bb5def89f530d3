/// A value in memory of its own, so that a message can have a field of its own type.
///
/// It behaves as the value itself would: copies don't see each other's changes.
public struct Indirect<Value: Sendable & Hashable>: Sendable, Hashable {
  @usableFromInline
  final class Storage: @unchecked Sendable {
    // Mutated only while a single `Indirect` refers to it.
    @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
      self.value = value
    }
  }

  @usableFromInline var storage: Storage

  /// Moves a value into memory of its own.
  @inlinable
  public init(_ value: Value) {
    storage = Storage(value)
  }

  /// The value. Changed in place unless it is shared with a copy.
  @inlinable
  public var value: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) {
        storage = Storage(storage.value)
      }
      yield &storage.value
    }
  }

  /// Whether both hold equal values.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage || left.storage.value == right.storage.value
  }

  /// Hashes the value.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.value)
  }
}
