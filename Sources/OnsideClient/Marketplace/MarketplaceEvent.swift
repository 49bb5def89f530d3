public import OnsideDomain

/// What an observer of the marketplace is told, in this order and once.
public enum MarketplaceEvent: Sendable, Hashable {
  /// Transactions that are new or have changed, as they are now. A new observer first gets
  /// everything that is unfinished.
  case updated([PaymentTransaction])

  /// Transactions that the app has finished.
  case removed([PaymentTransaction])

  /// A restore is through: what was found came before, as transactions in the state restored.
  case restoreFinished

  /// A restore came to nothing.
  case restoreFailed(OnsideError)

  /// Prices and rules are another country's now, or nobody's; load products again.
  case storefrontChanged(Storefront?)

  /// Somebody signed in, or out: the profile before and after.
  case userChanged(from: ProfileRecord?, to: ProfileRecord?)
}

extension OnsideError: Hashable {
  /// Whether kind, message, reason and values agree; the causes aren't compared.
  public static func == (left: OnsideError, right: OnsideError) -> Bool {
    left.code == right.code && left.message == right.message && left.reason == right.reason
      && left.values == right.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}
