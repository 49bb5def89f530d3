public import OnsideDomain

/// How a user signs in where the app's own identifier isn't used.
public enum LoginMethod: Sendable, Hashable {
  /// Through the store app; with a phone number where that can't be opened.
  case auto

  /// With a phone number and a code.
  case local
}

/// What the marketplace asks of the app. Each function may be slow, and is called on any thread.
public struct MarketplaceHost: Sendable {
  /// The app's identifier of its current user, asked at each external login. Nil as a function:
  /// external login is off. Nil as an answer: there is no account, so the login falls back. An
  /// empty string is sent to the service as it is.
  public var externalAccount: (@Sendable () async -> String?)?

  /// How to sign in when there is no external account, or its session can't be made.
  public var loginMethod: @Sendable () async -> LoginMethod

  /// Whose prices are shown while nobody is signed in: ISO 3166-1 alpha-2. Nil: the configuration's
  /// hint.
  public var countryHint: @Sendable () async -> String?

  /// Whether a purchase goes on in another storefront than the one that it was enqueued in. Not
  /// asked while the storefront is the same.
  public var continues: @Sendable (PaymentTransaction, Storefront) async -> Bool

  /// Told why the app's account or the store app didn't sign the user in, before the next way is
  /// tried: for the app's own log, or for whoever chose that way.
  public var loginFellBack: @Sendable (OnsideError) async -> Void = { _ in }

  /// A host without external login, that lets everything go its usual way.
  public init(
    externalAccount: (@Sendable () async -> String?)? = nil,
    loginMethod: @escaping @Sendable () async -> LoginMethod = { .auto },
    countryHint: @escaping @Sendable () async -> String? = { nil },
    continues: @escaping @Sendable (PaymentTransaction, Storefront) async -> Bool = { _, _ in
      true
    }
  ) {
    self.externalAccount = externalAccount
    self.loginMethod = loginMethod
    self.countryHint = countryHint
    self.continues = continues
  }
}
