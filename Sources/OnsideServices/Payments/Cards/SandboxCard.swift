import OnsideDomain

/// The card numbers that the sandbox takes: one's own are refused, so that no real number gets in.
///
/// `Docs/sandbox.md` lists them.
enum SandboxCard {
  /// What is done with payments by each number.
  static let outcomes: [String: SandboxToken] = [
    "4242424242424242": .paid,
    "4111111111111111": .paid,
    "5555555555554444": .paid,
    "5105105105105100": .paid,
    "2223003122003222": .paid,
    "378282246310005": .paid,
    "371449635398431": .paid,
    "6011111111111117": .paid,
    "4000000000000002": .declined,
    "4000000000003220": .cancelled,
    "4000002500003155": .needsApproval,
    "4000000000000119": .unavailable,
    "4000000000000341": .unavailableOnce,
    "4000000000009987": .replyLost,
  ]

  /// The number with which the processor is down when the card is to be kept.
  static let unavailable = "4000000000009995"

  /// The token of a card: the same for the same card, after a restart too.
  static func token(of card: CardDetails) throws(ProcessorError) -> String {
    if card.number.digits == unavailable {
      throw ProcessorError(.unavailable, "the sandbox's processor plays dead for this card")
    }
    guard let outcome = outcomes[card.number.digits] else {
      throw ProcessorError(
        .cardRefused, "the card number isn't one of the sandbox's; they are in Docs/sandbox.md")
    }
    // Among the sandbox's numbers, the last four digits tell them apart.
    return "\(outcome.rawValue):card-\(card.number.lastFour)-\(card.expiry.month)-"
      + "\(card.expiry.year)"
  }
}
