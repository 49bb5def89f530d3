/// A country of ISO 3166-1, as its alpha-2 code.
///
/// Only the officially assigned codes exist as values: an instance is always a real country.
public struct CountryCode: Hashable, Sendable {
  /// The position in the table of countries, which is sorted by alpha-2 code.
  let row: UInt8

  /// The position among `all`.
  public var position: Int { Int(row) }

  init(row: Int) {
    self.row = UInt8(row)
  }

  /// The country with this alpha-2 code in upper case (`DE`); nil if there is none.
  public init?(alpha2 code: String) {
    var code = code
    guard let found = code.withUTF8({ CountryCode(alpha2: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = found
  }

  /// The country with this alpha-2 code in upper case, as ASCII bytes; nil if there is none.
  ///
  /// Allocates nothing, so that a call's country hint can be looked up where it was received.
  public init?(alpha2 code: UnsafeRawBufferPointer) {
    guard code.count == 2, let slot = CountryIndex.slot(code[0], code[1]) else { return nil }
    let row = CountryIndex.shared.rowOfAlpha2[slot]
    guard row != CountryIndex.none else { return nil }
    self.row = row
  }

  /// The country with this alpha-3 code in upper case (`DEU`); nil if there is none.
  public init?(alpha3 code: String) {
    guard let row = CountryIndex.shared.alpha3.firstIndex(of: code) else { return nil }
    self.init(row: row)
  }

  /// The country with this alpha-2 or alpha-3 code in upper case; nil if there is none.
  ///
  /// `.storekit` files name their storefront in alpha-3, everything else of the marketplace uses
  /// alpha-2.
  public init?(_ code: String) {
    if code.utf8.count == 3 { self.init(alpha3: code) } else { self.init(alpha2: code) }
  }

  /// Two upper case letters: `DE`.
  public var alpha2: String { CountryIndex.shared.alpha2[Int(row)] }

  /// Three upper case letters: `DEU`.
  public var alpha3: String { CountryIndex.shared.alpha3[Int(row)] }

  /// The currency that is paid in this country; nil for Antarctica, which has none.
  public var currency: Currency? { CountryIndex.shared.currencies[Int(row)] }

  /// All countries, sorted by alpha-2 code.
  public static var all: [CountryCode] {
    CountryIndex.shared.alpha2.indices.map(CountryCode.init(row:))
  }
}

extension CountryCode: CustomStringConvertible {
  /// The alpha-2 code.
  public var description: String { alpha2 }
}

extension CountryCode: Comparable {
  /// By alpha-2 code.
  public static func < (left: CountryCode, right: CountryCode) -> Bool { left.row < right.row }
}

/// The table of countries, taken apart once.
struct CountryIndex: Sendable {
  static let shared = CountryIndex()
  static let none: UInt8 = .max

  private(set) var alpha2: [String] = []
  private(set) var alpha3: [String] = []
  private(set) var currencies: [Currency?] = []

  /// By two letters, A to Z each.
  private(set) var rowOfAlpha2 = [UInt8](repeating: none, count: 26 * 26)

  private init() {
    for row in CountryTable.rows.split(separator: ",") {
      let fields = row.split { $0 == " " || $0 == "\n" }
      let code = Array(fields[0].utf8)
      if let slot = Self.slot(code[0], code[1]) { rowOfAlpha2[slot] = UInt8(alpha2.count) }
      alpha2.append(String(fields[0]))
      alpha3.append(String(fields[1]))
      currencies.append(Currency(String(fields[2])))
    }
  }

  /// Where two letters are in `rowOfAlpha2`; nil if they aren't upper case letters.
  static func slot(_ first: UInt8, _ second: UInt8) -> Int? {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    guard letters.contains(first), letters.contains(second) else { return nil }
    return Int(first - letters.lowerBound) * 26 + Int(second - letters.lowerBound)
  }
}
