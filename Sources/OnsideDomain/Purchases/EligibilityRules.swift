/// Which profiles may buy what, and how. The rules follow the authenticated profile.
///
/// Source: the marketplace's page on external login: an external profile buys consumables through
/// Apple Pay only; everything else is excluded from its product results and refused.
public enum EligibilityRules {
  /// Whether a kind of product is among a profile's product results; otherwise it is unsupported.
  @inlinable
  public static func lists(_ product: ProductKind, for profile: ProfileKind) -> Bool {
    profile == .regular || product == .consumable
  }

  /// Why a purchase isn't allowed; nil: it is.
  ///
  /// That a product can't be bought at all comes before how it would be paid.
  public static func refusal(
    of product: ProductKind, for profile: ProfileKind, paidWith method: PaymentMethodKind
  ) -> RefusalReason? {
    guard lists(product, for: profile) else { return .notSupportedForExternalLogin }
    guard profile == .regular || method == .applePay else { return .applePayRequired }
    return nil
  }
}
