/// Who may keep cards, and how many.
public enum CardRules {
  /// The most cards of one profile.
  public static let maximumCards = 20

  /// Why a profile has no cards; nil: it may have some.
  ///
  /// Source: the marketplace's page on external login: saved cards are for regular profiles.
  public static func refusal(for profile: ProfileKind) -> RefusalReason? {
    profile == .regular ? nil : .notSupportedForExternalLogin
  }
}
