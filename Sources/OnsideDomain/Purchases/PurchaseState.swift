/// Where a purchase stands. The raw values are those of `TransactionState` in `payments.proto`.
public enum PurchaseState: UInt8, Hashable, Sendable, CaseIterable {
  /// The payment's outcome isn't known yet.
  case purchasing = 1
  case purchased = 2
  case failed = 3

  /// Somebody has to approve the purchase.
  case deferred = 4

  /// Nothing changes any more; the app has to finish the transaction.
  public var isFinal: Bool { self == .purchased || self == .failed }
}

/// Why a purchase failed. The raw values are those of `FailureReason` in `payments.proto`.
public enum FailureReason: UInt8, Hashable, Sendable, CaseIterable {
  case declined = 1
  case cancelled = 2
}

/// What the payment processor decided. That it didn't answer is not an outcome.
public enum PaymentOutcome: Hashable, Sendable {
  case paid
  case needsApproval
  case failed(FailureReason)
}
