extension Money {
  /// Reads a decimal number as files have it: `0.99`, `4900`, `2`, `-1.5`.
  ///
  /// A point separates decimals; there are no grouping marks, signs other than a leading minus, or
  /// exponents. Trailing zeros beyond the currency's places are exact and so allowed.
  ///
  /// - Throws: `.malformed`, `.tooManyDecimals`, `.overflow`.
  public init(decimal text: String, currency: Currency) throws(MoneyError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(MoneyError) in
        try Money(decimal: UnsafeRawBufferPointer(bytes), currency: currency)
      }
    }
    self = try result.get()
  }

  /// Reads a decimal number from its ASCII bytes; see `init(decimal:currency:)` with a string.
  ///
  /// - Throws: `.malformed`, `.tooManyDecimals`, `.overflow`.
  public init(decimal text: UnsafeRawBufferPointer, currency: Currency) throws(MoneyError) {
    var reader = DecimalReader(exponent: currency.exponent)
    for byte in text {
      guard let problem = reader.take(byte) else { continue }
      throw Money.error(problem, text, currency)
    }
    if let problem = reader.finish() { throw Money.error(problem, text, currency) }
    self.init(minorUnits: reader.minorUnits, currency: currency)
  }

  private static func error(
    _ code: MoneyError.Code, _ text: UnsafeRawBufferPointer, _ currency: Currency
  ) -> MoneyError {
    let value = Escaping.quoted(text)
    switch code {
    case .tooManyDecimals:
      return MoneyError(
        code, "amount \(value) has more decimals than \(currency) has (\(currency.exponent))")
    case .overflow:
      return MoneyError(code, "amount \(value) doesn't fit into 64 bits of minor units")
    default:
      return MoneyError(code, "amount \(value) isn't a decimal number such as 0.99 or 4900")
    }
  }

  /// The exact decimal number with all places of the currency and a point: `4.99`, `-0.05`, `499`.
  ///
  /// `Money(decimal:currency:)` reads it back to the same amount.
  public var decimalText: String { decimalText(separator: ".", grouping: "") }

  /// The decimal number with other marks for decimals and groups of three digits.
  func decimalText(separator: String, grouping: String) -> String {
    var digits = String(minorUnits.magnitude)
    let missing = currency.exponent + 1 - digits.utf8.count
    if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
    let whole = digits.dropLast(currency.exponent)
    var text = minorUnits < 0 ? "-" : ""
    for (place, digit) in zip((0..<whole.utf8.count).reversed(), whole) {
      text.append(digit)
      if place > 0 && place.isMultiple(of: 3) { text += grouping }
    }
    if currency.exponent > 0 { text += separator + digits.suffix(currency.exponent) }
    return text
  }
}

/// Reads the digits of a decimal number into minor units.
struct DecimalReader {
  let exponent: Int
  private(set) var minorUnits: Int64 = 0
  private var isNegative = false
  private var position = 0
  private var wholeDigits = 0

  /// How many digits came after the point; nil before it.
  private var decimals: Int?

  init(exponent: Int) {
    self.exponent = exponent
  }

  /// Takes the next byte; returns what is wrong with it.
  mutating func take(_ byte: UInt8) -> MoneyError.Code? {
    defer { position += 1 }
    switch byte {
    case UInt8(ascii: "-") where position == 0:
      isNegative = true
      return nil
    case UInt8(ascii: ".") where decimals == nil && wholeDigits > 0:
      decimals = 0
      return nil
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return take(digit: Int64(byte - UInt8(ascii: "0")))
    default:
      return .malformed
    }
  }

  private mutating func take(digit: Int64) -> MoneyError.Code? {
    if let decimals {
      self.decimals = decimals + 1
      if decimals >= exponent { return digit == 0 ? nil : .tooManyDecimals }
    } else {
      wholeDigits += 1
    }
    return append(digit) ? nil : .overflow
  }

  private mutating func append(_ digit: Int64) -> Bool {
    let (shifted, tooLarge) = minorUnits.multipliedReportingOverflow(by: 10)
    let (sum, overflow) = shifted.subtractingReportingOverflow(digit)
    // Kept negative until the end, since the smallest amount has no positive counterpart.
    minorUnits = sum
    return !tooLarge && !overflow
  }

  /// Ends the number; returns what is wrong with it.
  mutating func finish() -> MoneyError.Code? {
    guard wholeDigits > 0, decimals != 0 else { return .malformed }
    for _ in min(decimals ?? 0, exponent)..<exponent {
      guard append(0) else { return .overflow }
    }
    guard !isNegative else { return nil }
    guard minorUnits != .min else { return .overflow }
    minorUnits = -minorUnits
    return nil
  }
}
