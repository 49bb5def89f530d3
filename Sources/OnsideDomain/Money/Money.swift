/// An amount of money in whole minor units of its currency.
///
/// No amount is ever a floating point number: 4.99 EUR is 499 minor units with exponent 2, and
/// 499 JPY is 499 with exponent 0.
public struct Money: Hashable, Sendable {
  /// In units of 10^-exponent of the currency.
  public let minorUnits: Int64

  public let currency: Currency

  public init(minorUnits: Int64, currency: Currency) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// The sum of two amounts of one currency.
  ///
  /// - Throws: `.currencyMismatch`, `.overflow`.
  public func adding(_ other: Money) throws(MoneyError) -> Money {
    try sameCurrency(as: other)
    return try checked(minorUnits.addingReportingOverflow(other.minorUnits), "the sum")
  }

  /// The difference of two amounts of one currency.
  ///
  /// - Throws: `.currencyMismatch`, `.overflow`.
  public func subtracting(_ other: Money) throws(MoneyError) -> Money {
    try sameCurrency(as: other)
    return try checked(minorUnits.subtractingReportingOverflow(other.minorUnits), "the difference")
  }

  /// The amount taken `count` times.
  ///
  /// - Throws: `.overflow`.
  public func multiplied(by count: Int64) throws(MoneyError) -> Money {
    try checked(minorUnits.multipliedReportingOverflow(by: count), "the product")
  }

  /// True if this amount is smaller than another one of the same currency.
  ///
  /// - Throws: `.currencyMismatch`.
  public func isLess(than other: Money) throws(MoneyError) -> Bool {
    try sameCurrency(as: other)
    return minorUnits < other.minorUnits
  }

  private func sameCurrency(as other: Money) throws(MoneyError) {
    guard currency == other.currency else {
      throw MoneyError(.currencyMismatch, "\(self) and \(other) are of different currencies")
    }
  }

  private func checked(
    _ result: (partialValue: Int64, overflow: Bool), _ name: String
  ) throws(MoneyError) -> Money {
    guard !result.overflow else {
      throw MoneyError(.overflow, "\(name) with \(self) doesn't fit into 64 bits of minor units")
    }
    return Money(minorUnits: result.partialValue, currency: currency)
  }
}

extension Money: CustomStringConvertible {
  /// The decimal number and the currency code: `4.99 EUR`.
  public var description: String { "\(decimalText) \(currency.code)" }
}
