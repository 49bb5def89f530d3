/// A currency of ISO 4217.
///
/// Only currencies of the table exist as values, so the exponent is always known.
public struct Currency: Hashable, Sendable {
  /// The three letters as big-endian ASCII.
  let letters: UInt32

  /// How many decimal places the currency has, 0 to 4: JPY 0, EUR 2, KWD 3.
  public let exponent: Int

  /// The currency with this code in upper case (`EUR`); nil if there is none.
  public init?(_ code: String) {
    var code = code
    guard let found = code.withUTF8({ Currency(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = found
  }

  /// The currency with this code in upper case, as ASCII bytes; nil if there is none.
  public init?(_ code: UnsafeRawBufferPointer) {
    guard code.count == 3 else { return nil }
    self.init(letters: UInt32(code[0]) << 16 | UInt32(code[1]) << 8 | UInt32(code[2]))
  }

  private init?(letters: UInt32) {
    guard let exponent = CurrencyIndex.shared.exponents[letters] else { return nil }
    self.letters = letters
    self.exponent = exponent
  }

  /// Three upper case letters: `EUR`.
  public var code: String { Self.text(letters) }

  /// All currencies, sorted by code.
  public static var all: [Currency] {
    CurrencyIndex.shared.exponents.keys.sorted().compactMap(Currency.init(letters:))
  }

  private static func text(_ letters: UInt32) -> String {
    String(unsafeUninitializedCapacity: 3) { bytes in
      for place in 0..<3 { bytes[place] = UInt8(truncatingIfNeeded: letters >> (16 - 8 * place)) }
      return 3
    }
  }
}

extension Currency: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}

/// The table of currencies, taken apart once.
struct CurrencyIndex: Sendable {
  static let shared = CurrencyIndex()

  private(set) var exponents: [UInt32: Int] = [:]

  private init() {
    let byExponent = [
      0: CurrencyTable.withoutDecimals, 2: CurrencyTable.withTwoDecimals,
      3: CurrencyTable.withThreeDecimals, 4: CurrencyTable.withFourDecimals,
    ]
    for (exponent, codes) in byExponent {
      for code in codes.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        exponents[code.utf8.reduce(0) { $0 << 8 | UInt32($1) }] = exponent
      }
    }
  }
}
