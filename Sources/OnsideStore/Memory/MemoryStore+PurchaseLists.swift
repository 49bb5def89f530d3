import OnsideDomain

extension MemoryStore {
  public func listOwned(
    _ query: OwnedQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionPage>
  ) {
    perform(options, completion) { $0.purchases.owned(query) }
  }

  public func listBought(
    _ query: BoughtQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<[TransactionRecord]>
  ) {
    perform(options, completion) { $0.purchases.bought(query) }
  }

  public func deferredPurchases(
    appID: String?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[TransactionRecord]>
  ) {
    perform(options, completion) { state in
      let app = appID.map(ByteKey.init)
      let found = state.purchases.everDeferred.filter {
        $0.lifecycle.state == .deferred && (app == nil || ByteKey($0.appID) == app)
      }
      let sorted = found.sorted {
        ($0.createdAt, $0.profileID, $0.id) < ($1.createdAt, $1.profileID, $1.id)
      }
      return Array(sorted.prefix(max(limit, 0)))
    }
  }

  public func findDeferredPurchase(
    _ id: TransactionID, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionRecord?>
  ) {
    perform(options, completion) { state in state.purchases.everDeferred.first { $0.id == id } }
  }
}
