/// Keys and values beside the messages of a call, in the order they were added; a key may come
/// more than once.
public struct Metadata: Sendable, Hashable {
  /// One key with one value.
  public struct Entry: Sendable, Hashable {
    /// 1 to 64 characters of `a-z`, `0-9`, `.`, `_` and `-`, not beginning with `rpc-`.
    public let key: String
    /// The value.
    public let value: Value
  }

  /// What an entry holds.
  public enum Value: Sendable, Hashable {
    /// Printable ASCII, 0x20 to 0x7E.
    case ascii(String)
    /// Any bytes.
    case binary([UInt8])
  }

  /// Why an entry can't be added.
  public enum Refusal: Error, Sendable, Hashable {
    /// The key is empty, longer than 64 bytes, or has a character outside `a-z 0-9 . _ -`.
    case invalidKey(String)
    /// Keys that begin with `rpc-` belong to the protocol.
    case reservedKey(String)
    /// A character outside 0x20–0x7E in an ASCII value: use a binary one.
    case invalidValue(key: String)
    /// There are 128 entries already.
    case tooMany
  }

  /// The most entries of one metadata block.
  public static let maximumEntries = 128
  /// The longest key, in bytes.
  public static let maximumKeyBytes = 64

  /// The entries in order.
  public internal(set) var entries: [Entry] = []

  /// Empty metadata.
  public init() {}

  /// Number of entries.
  public var count: Int { entries.count }

  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }

  /// Adds an entry with text behind the others.
  public mutating func add(_ key: String, _ value: String) throws(Refusal) {
    guard value.utf8.allSatisfy(MetadataRules.isValue) else { throw .invalidValue(key: key) }
    try append(key, .ascii(value))
  }

  /// Adds an entry with bytes behind the others.
  public mutating func add(_ key: String, binary value: [UInt8]) throws(Refusal) {
    try append(key, .binary(value))
  }

  /// Removes every entry with that key.
  public mutating func remove(_ key: String) {
    entries.removeAll { $0.key == key }
  }

  /// The text of the first ASCII entry with that key.
  public func first(_ key: String) -> String? {
    for entry in entries where entry.key == key {
      if case .ascii(let text) = entry.value { return text }
    }
    return nil
  }

  /// The bytes of the first binary entry with that key.
  public func firstBinary(_ key: String) -> [UInt8]? {
    for entry in entries where entry.key == key {
      if case .binary(let bytes) = entry.value { return bytes }
    }
    return nil
  }

  /// Every value with that key, in order.
  public func all(_ key: String) -> [Value] {
    entries.filter { $0.key == key }.map(\.value)
  }

  /// Puts an entry of the protocol's own before the others.
  mutating func insertReserved(_ key: StaticString, _ value: String) {
    entries.insert(Entry(key: "\(key)", value: .ascii(value)), at: 0)
    if entries.count > Metadata.maximumEntries { entries.removeLast() }
  }

  private mutating func append(_ key: String, _ value: Value) throws(Refusal) {
    guard MetadataRules.isKey(key.utf8) else { throw .invalidKey(key) }
    guard !MetadataRules.isReserved(key.utf8) else { throw .reservedKey(key) }
    guard entries.count < Metadata.maximumEntries else { throw .tooMany }
    entries.append(Entry(key: key, value: value))
  }
}

/// The rules for keys and values, over bytes so that received ones are checked in place.
enum MetadataRules {
  static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  static func isValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte <= 0x7E }

  static func isKey(_ key: String.UTF8View) -> Bool {
    (1...Metadata.maximumKeyBytes).contains(key.count) && key.allSatisfy(isKeyByte)
  }

  static func isReserved(_ key: String.UTF8View) -> Bool { key.starts(with: "rpc-".utf8) }
}
