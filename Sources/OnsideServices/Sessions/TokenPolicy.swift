import OnsideDomain
import OnsideStore

/// How long tokens and their keys live. All in milliseconds.
public struct TokenPolicy: Hashable, Sendable {
  /// How long a session lasts; 24 hours unless configured.
  public var tokenLifetime: Int64 = 24 * 60 * 60 * 1_000

  /// How long new tokens are sealed with one key before the next takes over.
  public var rotationPeriod: Int64 = 24 * 60 * 60 * 1_000

  /// How long before it takes over a key is stored, so that other servers know it by then.
  public var leadTime: Int64 = 10 * 60 * 1_000

  public init() {}

  /// A policy with another lifetime of tokens.
  public init(tokenLifetime: Int64) {
    self.tokenLifetime = tokenLifetime
  }

  /// The times of a key that seals from `start` on.
  ///
  /// It opens for one rotation period longer than its last regular token lives. So a server whose
  /// store has failed can go on sealing with it for that long.
  func key(id: UInt32, secret: [UInt8], from start: Timestamp) -> TokenKeyRecord {
    let end = start.milliseconds + rotationPeriod
    return TokenKeyRecord(
      id: id, secret: secret, sealsFrom: start, sealsUntil: Timestamp(milliseconds: end),
      opensUntil: Timestamp(milliseconds: end + tokenLifetime + rotationPeriod))
  }
}
