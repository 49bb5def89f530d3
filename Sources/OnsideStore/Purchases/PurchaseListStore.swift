import OnsideDomain

/// Lists of purchases, and those that wait for approval.
public protocol PurchaseListStore: Sendable {
  /// What a profile owns in an app, by the age of each product's last transaction, oldest first.
  func listOwned(
    _ query: OwnedQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionPage>)

  /// A profile's purchased transactions, newest first.
  func listBought(
    _ query: BoughtQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<[TransactionRecord]>)

  /// The deferred purchases of all profiles, oldest first; of an app if one is given.
  func deferredPurchases(
    appID: String?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[TransactionRecord]>)

  /// Finds a transaction that is deferred or once was, of any profile.
  func findDeferredPurchase(
    _ id: TransactionID, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionRecord?>)
}

extension Store {
  /// What a profile owns in an app.
  public func listOwned(
    _ query: OwnedQuery, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> TransactionPage {
    try await answer { listOwned(query, options: options, completion: $0) }
  }

  /// A profile's purchased transactions, newest first.
  public func listBought(
    _ query: BoughtQuery, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [TransactionRecord] {
    try await answer { listBought(query, options: options, completion: $0) }
  }

  /// The deferred purchases of all profiles, oldest first.
  public func deferredPurchases(
    appID: String? = nil, limit: Int = 1_000, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [TransactionRecord] {
    try await answer {
      deferredPurchases(appID: appID, limit: limit, options: options, completion: $0)
    }
  }

  /// Finds a transaction that is deferred or once was.
  public func findDeferredPurchase(
    _ id: TransactionID, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> TransactionRecord? {
    try await answer { findDeferredPurchase(id, options: options, completion: $0) }
  }

  /// The intent of a purchase without an outcome; nil: it has one.
  public func intent(
    of transaction: TransactionRecord, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> PurchaseIntent? {
    let id = transaction.id
    // The place right before it in the order of age.
    let place = PurchasePosition(
      createdAt: transaction.createdAt, profileID: transaction.profileID,
      transactionID: TransactionID(
        high: id.low == 0 ? id.high &- 1 : id.high, low: id.low &- 1))
    let next = try await unresolvedPurchases(after: place, limit: 1, options: options).first
    return next?.transactionID == id ? next : nil
  }
}
