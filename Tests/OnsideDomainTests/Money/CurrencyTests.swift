import OnsideDomain
import Testing

@Suite struct CurrencyTests {
  @Test(arguments: [
    ("JPY", 0), ("KRW", 0), ("CLP", 0), ("ISK", 0), ("UGX", 0), ("EUR", 2), ("USD", 2), ("HUF", 2),
    ("TWD", 2), ("MGA", 2), ("KWD", 3), ("BHD", 3), ("TND", 3), ("IQD", 3), ("JOD", 3), ("LYD", 3),
    ("OMR", 3), ("CLF", 4), ("UYW", 4),
  ])
  func exponent(code: String, exponent: Int) {
    #expect(Currency(code)?.exponent == exponent)
  }

  @Test func isKnownByItsCode() {
    for currency in Currency.all { #expect(Currency(currency.code) == currency) }
    #expect(Currency.all.map(\.code) == Currency.all.map(\.code).sorted())
    #expect(Currency.all.count > 160)
  }

  @Test(arguments: ["", "EU", "eur", "EURO", "XXX", "XAU", "XDR", "DEM", "€"])
  func refuses(code: String) {
    #expect(Currency(code) == nil)
  }
}
