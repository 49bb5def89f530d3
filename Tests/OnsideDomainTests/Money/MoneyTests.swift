import OnsideDomain
import Testing

@Suite struct MoneyTests {
  static func currency(_ code: String) throws -> Currency { try #require(Currency(code)) }

  /// Amounts around everything that could go wrong with digits, signs and 64 bits.
  static let amounts: [Int64] = [
    0, 1, 9, 10, 99, 100, 101, 499, 999, 1_000, 123_456, 1_234_567_890, .max, .max - 1, .min,
    .min + 1, -1, -5, -10, -99, -100, -1_000, -123_456,
  ]

  @Test(arguments: Currency.all)
  func decimalTextIsReadBack(currency: Currency) throws {
    var random = SystemRandomNumberGenerator()
    let more = (0..<200).map { _ in Int64.random(in: .min ... .max, using: &random) }
    for amount in Self.amounts + more + more.map({ $0 % 100_000 }) {
      let money = Money(minorUnits: amount, currency: currency)
      #expect(try Money(decimal: money.decimalText, currency: currency) == money)
    }
  }

  @Test(
    arguments: [
      ("0.99", "EUR", 99), ("4900", "JPY", 4_900), ("2", "CNY", 200), ("9.2", "USD", 920),
      ("0.005", "KWD", 5), ("1.5", "KWD", 1_500), ("4900.00", "JPY", 4_900), ("4.990", "EUR", 499),
      ("-0.05", "EUR", -5), ("007", "EUR", 700), ("92233720368547758.07", "EUR", .max),
      ("-92233720368547758.08", "EUR", .min), ("0.0001", "CLF", 1),
    ] as [(String, String, Int64)])
  func reads(text: String, code: String, minorUnits: Int64) throws {
    #expect(try Money(decimal: text, currency: Self.currency(code)).minorUnits == minorUnits)
  }

  @Test(
    arguments: [
      (499, "EUR", "4.99"), (5, "EUR", "0.05"), (-5, "EUR", "-0.05"), (499, "JPY", "499"),
      (0, "JPY", "0"), (0, "KWD", "0.000"), (1, "CLF", "0.0001"), (.min, "JPY", "\(Int64.min)"),
    ] as [(Int64, String, String)])
  func writes(minorUnits: Int64, code: String, text: String) throws {
    let money = Money(minorUnits: minorUnits, currency: try Self.currency(code))
    #expect(money.decimalText == text)
    #expect(money.description == "\(text) \(code)")
  }

  @Test(arguments: [
    "", "-", ".", ".5", "5.", "1,5", "1.2.3", "+1", " 1", "1 ", "1e3", "0x1", "--1", "1-", "€5",
    "١",
    "NaN", "inf", "1\u{0}",
  ])
  func refusesWhatIsNoDecimalNumber(text: String) throws {
    let euro = try Self.currency("EUR")
    let error = #expect(throws: MoneyError.self) { try Money(decimal: text, currency: euro) }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("0.99") == true)
  }

  @Test(arguments: [("0.999", "EUR"), ("0.99", "JPY"), ("1.0001", "KWD"), ("4.991", "USD")])
  func refusesDecimalsThatTheCurrencyHasNot(text: String, code: String) throws {
    let currency = try Self.currency(code)
    let error = #expect(throws: MoneyError.self) { try Money(decimal: text, currency: currency) }
    #expect(error?.code == .tooManyDecimals)
    #expect(error?.message.contains("\(code) has (\(currency.exponent))") == true)
  }

  @Test(arguments: [
    "92233720368547758.08", "-92233720368547758.09", "99999999999999999999", "92233720368547759",
    String(repeating: "9", count: 400),
  ])
  func refusesWhatDoesNotFit(text: String) throws {
    let euro = try Self.currency("EUR")
    let error = #expect(throws: MoneyError.self) { try Money(decimal: text, currency: euro) }
    #expect(error?.code == .overflow)
  }

  @Test func addsSubtractsAndMultiplies() throws {
    let euro = try Self.currency("EUR")
    let five = Money(minorUnits: 500, currency: euro)
    let one = Money(minorUnits: 100, currency: euro)
    #expect(try five.adding(one).minorUnits == 600)
    #expect(try five.subtracting(one).minorUnits == 400)
    #expect(try five.multiplied(by: 3).minorUnits == 1_500)
    #expect(try one.isLess(than: five))
    #expect(try !five.isLess(than: one))
  }

  @Test func refusesToMixCurrencies() throws {
    let euro = Money(minorUnits: 1, currency: try Self.currency("EUR"))
    let yen = Money(minorUnits: 1, currency: try Self.currency("JPY"))
    for calculate in [{ try euro.adding(yen) }, { try euro.subtracting(yen) }] {
      let error = #expect(throws: MoneyError.self) { try calculate() }
      #expect(error?.code == .currencyMismatch)
    }
    #expect(throws: MoneyError.self) { try euro.isLess(than: yen) }
  }

  @Test func refusesToOverflow() throws {
    let euro = try Self.currency("EUR")
    let most = Money(minorUnits: .max, currency: euro)
    let least = Money(minorUnits: .min, currency: euro)
    let one = Money(minorUnits: 1, currency: euro)
    for calculate in [
      { try most.adding(one) }, { try least.subtracting(one) }, { try least.multiplied(by: -1) },
    ] {
      let error = #expect(throws: MoneyError.self) { try calculate() }
      #expect(error?.code == .overflow)
    }
  }
}
