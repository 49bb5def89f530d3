/// A card as its owner enters it, checked. A secret: it is given to the processor, and neither
/// stored nor shown.
public struct CardDetails: Hashable, Sendable {
  public let number: CardNumber
  public let expiry: CardExpiry

  /// Three digits; four on an American Express card.
  public let securityCode: String

  /// Checks a card.
  ///
  /// - Throws: The first thing that is wrong; it never shows a number or a code.
  public init(
    number: String, expiryMonth: Int, expiryYear: Int, securityCode: String, now: Timestamp
  ) throws(CardProblem) {
    self.number = try CardNumber(number)
    expiry = try CardExpiry(month: expiryMonth, year: expiryYear, now: now)
    let digits = securityCode.utf8
    guard self.number.brand.securityCodeLengths.contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .securityCode }
    self.securityCode = securityCode
  }

  /// What may be kept and shown of it.
  public var label: CardLabel { CardLabel(brand: number.brand, lastFour: number.lastFour) }
}

extension CardDetails: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The brand and the last four digits.
  public var description: String { label.description }

  /// The brand and the last four digits.
  public var debugDescription: String { description }

  /// Shows the brand and the last four digits.
  public var customMirror: Mirror { Mirror(self, children: ["label": label]) }
}
