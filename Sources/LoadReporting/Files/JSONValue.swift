/// A JSON value whose objects keep the order of their members.
public enum JSONValue: Sendable, Equatable {
  case null
  case boolean(Bool)

  /// A number as it is written, so that nothing is lost by reading and writing it.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  public struct Member: Sendable, Equatable {
    public var name: String
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A whole number.
  public static func integer<Value: BinaryInteger>(_ value: Value) -> JSONValue {
    .number(String(value))
  }

  /// A number rounded to some decimal places; null if there is none, or it isn't finite.
  public static func decimal(_ value: Double?, places: Int = 3) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return .number(rounded(value, places: places))
  }

  /// A string, or null.
  public static func text(_ value: String?) -> JSONValue {
    value.map { .string($0) } ?? .null
  }

  /// An object of these members.
  public static func members(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  /// The value at a path of names; nil if there is none.
  public subscript(_ path: String...) -> JSONValue? {
    var value = self
    for name in path {
      guard case .object(let members) = value,
        let member = members.first(where: { $0.name == name })
      else { return nil }
      value = member.value
    }
    return value
  }

  /// The number, if it is one.
  public var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// The string, if it is one.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements, if it is an array.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

/// With at most so many decimal places, without trailing zeros.
package func rounded(_ value: Double, places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = (value * scale).rounded()
  guard abs(scaled) < 9e15 else { return String(value) }
  let digits = String(Int64(abs(scaled)))
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  var text = String(padded.dropLast(places))
  let fraction = padded.suffix(places)
  if let last = fraction.lastIndex(where: { $0 != "0" }) { text += "." + fraction[...last] }
  return scaled < 0 ? "-" + text : text
}
