import OnsideDomain

/// A price in major units: 4.99 EUR.
///
/// Source: the SDK's models; a public client shows that `value` is a `Double`. Nothing is computed
/// or charged with it: the exact amount stays with the product, in minor units.
public struct OnsidePrice: Sendable, Codable, Hashable {
  /// In major units of the currency.
  public var value: Double

  /// ISO 4217, three upper case letters.
  public var currencyCode: String
}

/// A length of calendar time.
public enum OnsidePeriod: Sendable, Codable, Hashable {
  case day(UInt)
  case week(UInt)
  case month(UInt)
  case year(UInt)
}

/// A price for a limited time.
public struct OnsidePricePeriod: Sendable, Codable, Hashable {
  /// Of one period.
  public var price: OnsidePrice

  /// How long one price is paid for.
  public var period: OnsidePeriod
}

extension OnsidePrice {
  /// The number that is nearest to the amount.
  init(_ money: Money) {
    var scale = 1.0
    for _ in 0..<money.currency.exponent { scale *= 10 }
    self.init(value: Double(money.minorUnits) / scale, currencyCode: money.currency.code)
  }
}

extension OnsidePeriod {
  init(_ period: Period) {
    let count = UInt(period.count)
    self =
      switch period.unit {
      case .day: .day(count)
      case .week: .week(count)
      case .month: .month(count)
      case .year: .year(count)
      }
  }
}
