import Foundation
import OnsideDomain
import TestSupport
import Testing

@Suite struct MoneyFormatTests {
  static let locales = [
    "en_US", "de_DE", "de_CH", "fr_FR", "nl_NL", "ja", "ar", "zh_Hans", "sv", "",
  ]

  /// Cases B45 and B46: an amount comes back from its text as it was, in every currency and
  /// language.
  @Test(arguments: locales)
  func whatIsWrittenIsReadBack(locale: String) throws {
    let format = MoneyFormat(locale: locale)
    for currency in Currency.all {
      for amount in MoneyTests.amounts {
        let money = Money(minorUnits: amount, currency: currency)
        #expect(try format.money(format.text(money)) == money)
      }
    }
  }

  /// Property P3: any amount, in any currency and language, is read back from its text, and from
  /// its decimal number.
  @Test(arguments: locales)
  func anyAmountComesBack(locale: String) throws {
    let given = ProcessInfo.processInfo.environment["ONSIDE_SEED"]
    let seed = given.flatMap(UInt64.init) ?? UInt64.random(in: 1...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let format = MoneyFormat(locale: locale)
    for currency in Currency.all {
      for _ in 0..<100 {
        // As many small amounts as large ones.
        let bits = Int.random(in: 0...63, using: &random)
        let money = Money(
          minorUnits: Int64(truncatingIfNeeded: random.next()) >> bits, currency: currency)
        #expect(try format.money(format.text(money)) == money, "seed \(seed)")
        #expect(
          try Money(decimal: money.decimalText, currency: currency) == money, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    ("en_US", "EUR\u{A0}1,234,567.89"), ("de_DE", "1.234.567,89\u{A0}EUR"),
    ("de-AT", "1.234.567,89\u{A0}EUR"), ("de_CH", "EUR\u{A0}1’234’567.89"),
    ("fr", "1\u{202F}234\u{202F}567,89\u{A0}EUR"), ("nl_NL", "EUR\u{A0}1.234.567,89"),
  ])
  func writesAsPeopleDo(locale: String, text: String) throws {
    let money = Money(minorUnits: 123_456_789, currency: try #require(Currency("EUR")))
    #expect(MoneyFormat(locale: locale).text(money) == text)
  }

  @Test(arguments: [
    "", "EUR", "1.00", "4.99\u{A0}EUR", "EUR 4.99", "EUR\u{A0}4,99", "EUR\u{A0}1,2.00",
    "EUR\u{A0}5", "EUR\u{A0}5.0", "EUR\u{A0}05.00", "EURO\u{A0}5.00", "EUR\u{A0}\u{A0}5.00",
  ])
  func refusesOtherTexts(text: String) {
    #expect(throws: MoneyError.self) { try MoneyFormat(locale: "en").money(text) }
  }

  /// Read with the marks of another language, an amount would be a hundred times as much.
  @Test func refusesThePointWhereACommaSeparates() {
    #expect(throws: MoneyError.self) { try MoneyFormat(locale: "de").money("4.99\u{A0}EUR") }
  }
}
