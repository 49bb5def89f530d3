/// How amounts of money are written for people who read one language.
///
/// This is presentation only: nothing is ever calculated from such a text, and the service sends
/// amounts as minor units. The currency is always its ISO 4217 code, which no two currencies share.
public struct MoneyFormat: Hashable, Sendable {
  /// What separates decimals: `.` or `,`.
  public let decimalSeparator: String

  /// What separates groups of three digits.
  public let groupingSeparator: String

  /// True: `EUR 4.99`; false: `4,99 EUR`.
  public let isCurrencyFirst: Bool

  /// The format for a locale identifier such as `de_DE`, `de-DE`, `fr` or `zh_Hans`.
  ///
  /// A language that isn't known is written as English is.
  public init(locale: String) {
    let parts = locale.split { $0 == "_" || $0 == "-" }.map(String.init)
    let language = parts.first ?? ""
    if language == "de" && parts.contains("CH") {
      self.init(decimal: ".", grouping: "\u{2019}", isCurrencyFirst: true)
    } else if Self.commaAndPoint.contains(language) {
      self.init(decimal: ",", grouping: ".", isCurrencyFirst: language == "nl")
    } else if Self.commaAndSpace.contains(language) {
      self.init(decimal: ",", grouping: Self.narrowSpace, isCurrencyFirst: false)
    } else {
      self.init(decimal: ".", grouping: ",", isCurrencyFirst: true)
    }
  }

  private init(decimal: String, grouping: String, isCurrencyFirst: Bool) {
    decimalSeparator = decimal
    groupingSeparator = grouping
    self.isCurrencyFirst = isCurrencyFirst
  }

  private static let commaAndPoint: Set = [
    "ca", "da", "de", "el", "es", "hr", "id", "is", "it", "nl", "pt", "ro", "sl", "sr", "tr", "vi",
  ]
  private static let commaAndSpace: Set = [
    "bg", "cs", "et", "fi", "fr", "hu", "lt", "lv", "nb", "nn", "no", "pl", "ru", "sk", "sv", "uk",
  ]

  /// Neither breaks a line.
  private static let narrowSpace = "\u{202F}"
  private static let space = "\u{00A0}"

  /// The amount with the currency's places, grouping marks and the currency code.
  public func text(_ money: Money) -> String {
    let number = money.decimalText(separator: decimalSeparator, grouping: groupingSeparator)
    return isCurrencyFirst
      ? money.currency.code + Self.space + number : number + Self.space + money.currency.code
  }

  /// Reads what `text(_:)` wrote in the same format.
  ///
  /// - Throws: `.malformed` for any other text, `.tooManyDecimals`, `.overflow`.
  public func money(_ text: String) throws(MoneyError) -> Money {
    let parts = text.split(separator: Character(Self.space), omittingEmptySubsequences: false)
    let code = isCurrencyFirst ? parts.first : parts.last
    let number = isCurrencyFirst ? parts.last : parts.first
    guard parts.count == 2, let code, let number, let currency = Currency(String(code)) else {
      throw MoneyError(.malformed, "\(Escaping.quoted(text)) isn't an amount with its currency")
    }
    let plain = number.split(separator: groupingSeparator, omittingEmptySubsequences: false)
      .joined().replacing(decimalSeparator, with: ".")
    let money = try Money(decimal: plain, currency: currency)
    // Whatever was read too kindly (groups in wrong places, missing decimals) doesn't come back.
    guard self.text(money) == text else {
      throw MoneyError(.malformed, "\(Escaping.quoted(text)) isn't written in this format")
    }
    return money
  }
}
