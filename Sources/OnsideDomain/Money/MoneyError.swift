/// Why an amount of money can't be read or calculated.
public struct MoneyError: Error, Hashable, Sendable {
  /// The kind of a `MoneyError`; more may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The text isn't a decimal number: digits, at most one point, an optional minus sign.
    public static let malformed = Code(name: "malformed")

    /// The text has more decimal places than its currency.
    public static let tooManyDecimals = Code(name: "tooManyDecimals")

    /// The amount doesn't fit into 64 bits of minor units.
    public static let overflow = Code(name: "overflow")

    /// Two amounts of different currencies can't be added or compared.
    public static let currencyMismatch = Code(name: "currencyMismatch")
  }

  public let code: Code

  /// What is wrong, with the value, on one line.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension MoneyError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
