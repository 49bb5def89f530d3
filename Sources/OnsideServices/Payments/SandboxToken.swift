/// A test token: what the sandbox's processor does with a payment.
///
/// `Docs/sandbox.md` lists them. Behind a colon any text may follow, so that tokens can be told
/// apart as real ones can: `sandbox-paid:order-42`.
public enum SandboxToken: String, Sendable, Hashable, CaseIterable {
  /// The payment is taken.
  case paid = "sandbox-paid"

  /// The bank says no.
  case declined = "sandbox-declined"

  /// The user gave up in the bank's dialogue.
  case cancelled = "sandbox-cancelled"

  /// Somebody has to approve the purchase.
  case needsApproval = "sandbox-needs-approval"

  /// The processor is down, whenever it is asked.
  case unavailable = "sandbox-unavailable"

  /// The processor is down the first time it is asked for a purchase; then the payment is taken.
  case unavailableOnce = "sandbox-unavailable-once"

  /// The payment is taken and the answer gets lost, the first time; then it is told.
  case replyLost = "sandbox-reply-lost"

  /// The kind of a token; nil: nobody made such a token.
  public init?(token: String) {
    let name = token.utf8.firstIndex(of: UInt8(ascii: ":")).map { token[..<$0] } ?? token[...]
    self.init(rawValue: String(name))
  }
}
