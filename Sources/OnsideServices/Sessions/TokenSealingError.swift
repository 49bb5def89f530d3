/// Why no token could be made. None of it is the client's fault.
public struct TokenSealingError: Error, Hashable, Sendable {
  /// For logs: what is wrong and what to do.
  public let message: String

  /// No key is allowed to seal a token that lives so long: the store has refused new keys for a
  /// whole rotation period, or the clock has jumped.
  public static let noKey = TokenSealingError(
    message: "no key for new sessions: the store has taken none for too long; restart the server")

  /// OpenSSL failed to make random bytes or to encrypt.
  public static let cipherFailed = TokenSealingError(
    message: "OpenSSL can't seal a session token: restart the server")

  /// The storefront's identifier has over 64 bytes.
  public static let storefrontTooLong = TokenSealingError(
    message: "a storefront's identifier has over 64 bytes: give it a shorter one in the catalogue")
}
