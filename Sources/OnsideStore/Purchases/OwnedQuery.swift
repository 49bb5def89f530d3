/// Which of a profile's own products to list: purchased non-consumables and subscriptions of an
/// app, each with its last transaction.
public struct OwnedQuery: Hashable, Sendable {
  public let profileID: ProfileID
  public let appID: String

  /// How many at most; taken as 1 to 500.
  public let limit: Int

  /// Where the previous page ended; nil: from the start.
  public let after: TransactionCursor?

  public init(profileID: ProfileID, appID: String, limit: Int, after: TransactionCursor? = nil) {
    self.profileID = profileID
    self.appID = appID
    self.limit = min(max(limit, 1), TransactionQuery.maximumLimit)
    self.after = after
  }
}

/// Which of a profile's purchased transactions to list, of every kind of product.
public struct BoughtQuery: Hashable, Sendable {
  public let profileID: ProfileID

  /// Nil: of all apps.
  public let appID: String?

  /// How many at most; taken as 1 to 5,000.
  public let limit: Int

  public init(profileID: ProfileID, appID: String?, limit: Int) {
    self.profileID = profileID
    self.appID = appID
    self.limit = min(max(limit, 1), 5_000)
  }
}
