/// Why something can't be a card. Says what is wrong and what to do; never shows a number or a
/// code.
public enum CardProblem: Error, Hashable, Sendable, CaseIterable {
  case numberNotDigits
  case numberLength
  case numberChecksum
  case expiryMonth
  case expiryYear
  case expired
  case securityCode

  /// The field of `AddCardRequest` that is wrong.
  public var field: String {
    switch self {
    case .numberNotDigits, .numberLength, .numberChecksum: "number"
    case .expiryMonth: "expiry_month"
    case .expiryYear, .expired: "expiry_year"
    case .securityCode: "security_code"
    }
  }
}

extension CardProblem: CustomStringConvertible {
  /// What is wrong, and what is right.
  public var description: String {
    switch self {
    case .numberNotDigits: "the card number has something else than digits and spaces"
    case .numberLength:
      "the card number hasn't \(CardNumber.lengths.lowerBound) to "
        + "\(CardNumber.lengths.upperBound) digits"
    case .numberChecksum: "the card number's check digit is wrong: a digit was mistyped"
    case .expiryMonth: "the expiry month isn't 1 to 12"
    case .expiryYear:
      "the expiry year isn't one of this year and the next \(CardExpiry.maximumYears), in four "
        + "digits"
    case .expired: "the card has expired"
    case .securityCode:
      "the security code hasn't three digits, or four on an American Express card"
    }
  }
}
