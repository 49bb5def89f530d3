/// The states of one purchase.
///
/// `purchasing → purchased | failed | deferred`, `deferred → purchased | failed`. Only a final
/// state can be finished. An outcome that comes again changes nothing; one that contradicts an
/// earlier one is refused, and nothing changes.
public struct PurchaseLifecycle: Hashable, Sendable {
  public private(set) var state: PurchaseState

  /// Only in the state failed.
  public private(set) var failureReason: FailureReason?

  /// Whether the app has taken delivery.
  public private(set) var isFinished: Bool

  /// A purchase whose payment was just asked for.
  public init() {
    state = .purchasing
    failureReason = nil
    isFinished = false
  }

  /// A purchase as it was stored; nil if its parts contradict each other.
  public init?(state: PurchaseState, failureReason: FailureReason?, isFinished: Bool) {
    guard (state == .failed) == (failureReason != nil), state.isFinal || !isFinished else {
      return nil
    }
    self.state = state
    self.failureReason = failureReason
    self.isFinished = isFinished
  }

  /// What an outcome did.
  public enum Transition: Hashable, Sendable {
    case changed(from: PurchaseState, to: PurchaseState)

    /// The outcome was known already.
    case unchanged

    /// The outcome contradicts the state that the purchase is in.
    case refused(PurchaseState)
  }

  /// Applies what the payment processor decided.
  public mutating func apply(_ outcome: PaymentOutcome) -> Transition {
    let (next, reason): (PurchaseState, FailureReason?) =
      switch outcome {
      case .paid: (.purchased, nil)
      case .needsApproval: (.deferred, nil)
      case .failed(let reason): (.failed, reason)
      }
    if next == state && reason == failureReason { return .unchanged }
    guard !state.isFinal else { return .refused(state) }
    let previous = state
    state = next
    failureReason = reason
    return .changed(from: previous, to: next)
  }

  /// What finishing did.
  public enum Finish: Hashable, Sendable {
    case finished
    case alreadyFinished
    case refused(RefusalReason)
  }

  /// Marks the purchase as delivered.
  public mutating func finish() -> Finish {
    if isFinished { return .alreadyFinished }
    guard state.isFinal else { return .refused(.transactionNotFinal) }
    isFinished = true
    return .finished
  }
}
