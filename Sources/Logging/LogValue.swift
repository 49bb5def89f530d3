/// The value of a log line's field.
public enum LogValue: Sendable, Equatable {
  case string(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)

  /// Written as `[redacted]`.
  case secret(Secret)

  /// Any value, as its description.
  public static func describing<Value>(_ value: Value) -> LogValue {
    .string(String(describing: value))
  }

  /// Any whole number; what doesn't fit is written as its digits.
  public static func count<Value: BinaryInteger>(_ value: Value) -> LogValue {
    Int64(exactly: value).map { .integer($0) } ?? .string(String(value))
  }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) {
    self = .string(value)
  }

  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  public init(floatLiteral value: Double) {
    self = .number(value)
  }

  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

/// The fields of a log line, in their order.
public typealias LogFields = KeyValuePairs<String, LogValue>
