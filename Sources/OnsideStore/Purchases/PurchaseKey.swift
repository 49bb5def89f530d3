/// What names a request to buy: the client's key, in its scope, with a digest of what was asked
/// for.
public struct PurchaseKey: Hashable, Sendable {
  public let profileID: ProfileID
  public let appID: String
  public let idempotencyKey: String

  /// A digest of the request's named fields, compared byte by byte; 1 to 64 bytes.
  public let fingerprint: [UInt8]

  public init(profileID: ProfileID, appID: String, idempotencyKey: String, fingerprint: [UInt8]) {
    self.profileID = profileID
    self.appID = appID
    self.idempotencyKey = idempotencyKey
    self.fingerprint = fingerprint
  }
}

extension PurchaseIntent {
  /// The key of the request that the intent is made for.
  public var key: PurchaseKey {
    PurchaseKey(
      profileID: profileID, appID: appID, idempotencyKey: idempotencyKey, fingerprint: fingerprint)
  }
}
