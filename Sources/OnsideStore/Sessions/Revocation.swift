import OnsideDomain

/// A session that was ended before its token expires.
public struct Revocation: Hashable, Sendable {
  public let sessionID: SessionID
  public let profileID: ProfileID

  /// When the session's token expires, and the revocation can be forgotten.
  public let expiresAt: Timestamp

  public init(sessionID: SessionID, profileID: ProfileID, expiresAt: Timestamp) {
    self.sessionID = sessionID
    self.profileID = profileID
    self.expiresAt = expiresAt
  }
}

/// A place in the order in which revocations were stored. Only the store that gave it understands
/// it; it stays good after a restart.
public struct RevocationPosition: Hashable, Sendable {
  let sequence: Int64
}

/// A part of the revocations.
public struct RevocationPage: Hashable, Sendable {
  public let revocations: [Revocation]

  /// Where to go on from, now or later: nothing stored after this page is missed. A revocation may
  /// be seen twice.
  public let position: RevocationPosition

  /// More can be read at once.
  public let hasMore: Bool
}
