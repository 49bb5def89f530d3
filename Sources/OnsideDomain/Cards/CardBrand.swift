/// Whose card it is, by how its number begins. The raw values are stored.
public enum CardBrand: UInt8, Hashable, Sendable, CaseIterable {
  case visa = 1
  case mastercard = 2
  case americanExpress = 3

  /// Any other.
  case other = 4

  /// The brand of a number.
  ///
  /// - Parameter digits: ASCII digits.
  init(digits: some Collection<UInt8>) {
    let head = digits.prefix(4).reduce(0) { $0 * 10 + Int($1 & 15) }
    guard digits.count >= 4 else {
      self = .other
      return
    }
    self =
      switch head {
      case 4_000...4_999: .visa
      case 5_100...5_599, 2_221...2_720: .mastercard
      case 3_400...3_499, 3_700...3_799: .americanExpress
      default: .other
      }
  }

  /// For people: "Visa", "Mastercard", "American Express", "Card".
  public var name: String {
    switch self {
    case .visa: "Visa"
    case .mastercard: "Mastercard"
    case .americanExpress: "American Express"
    case .other: "Card"
    }
  }

  /// How many digits its security codes have.
  var securityCodeLengths: ClosedRange<Int> {
    switch self {
    case .visa, .mastercard: 3...3
    case .americanExpress: 4...4
    case .other: 3...4
    }
  }
}
