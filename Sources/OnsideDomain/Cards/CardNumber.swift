/// The number of a payment card, checked. A secret: it is given to the processor, and neither
/// stored nor shown.
public struct CardNumber: Hashable, Sendable {
  /// How many digits a number may have (ISO/IEC 7812).
  public static let lengths = 12...19

  /// The digits without spaces.
  public let digits: String

  /// By how the number begins.
  public let brand: CardBrand

  /// Reads a number; spaces are left out.
  ///
  /// - Throws: What is wrong with it, also when its check digit is.
  public init(_ text: String) throws(CardProblem) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .numberNotDigits }
    guard Self.lengths.contains(digits.count) else { throw .numberLength }
    guard Self.luhnSum(digits) % 10 == 0 else { throw .numberChecksum }
    self.digits = String(decoding: digits, as: UTF8.self)
    brand = CardBrand(digits: digits)
  }

  /// All that may be kept of it.
  public var lastFour: String { String(digits.suffix(4)) }

  /// Every second digit from the right counts twice, as the sum of its digits (ISO/IEC 7812-1).
  private static func luhnSum(_ digits: [UInt8]) -> Int {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let value = Int(digit & 15) * (place % 2 + 1)
      sum += value > 9 ? value - 9 : value
    }
    return sum
  }
}

extension CardNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The brand and the last four digits.
  public var description: String { CardLabel(brand: brand, lastFour: lastFour).description }

  /// The brand and the last four digits.
  public var debugDescription: String { description }

  /// Shows the brand and the last four digits.
  public var customMirror: Mirror {
    Mirror(self, children: ["brand": brand, "lastFour": lastFour])
  }
}
