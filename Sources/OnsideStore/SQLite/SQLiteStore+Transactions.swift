import OnsideDomain

extension SQLiteStore {
  public func findTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionRecord?>
  ) {
    read(options, shard: profileID.low, completion) {
      (connection) throws(StoreError) -> TransactionRecord? in
      try connection.findTransaction(id, profileID: profileID, appID: appID)
    }
  }

  public func finishTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, at time: Timestamp,
    options: RequestOptions, completion: @escaping StoreCompletion<FinishResult>
  ) {
    let completion = eventHub.telling(profileID, completion) { result in
      if case .finished = result { true } else { false }
    }
    write(options, completion) { (connection) throws(StoreError) -> FinishResult in
      guard
        var found = try connection.findTransaction(id, profileID: profileID, appID: appID)
      else { return .notFound }
      switch found.lifecycle.finish() {
      case .refused: return .notFinal(found)
      case .alreadyFinished: return .finished(found)
      case .finished:
        found.updatedAt = time
        try connection.update(found, from: found.lifecycle.state)
        return .finished(found)
      }
    }
  }

  public func listTransactions(
    _ query: TransactionQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionPage>
  ) {
    read(options, shard: query.profileID.low, completion) {
      (connection) throws(StoreError) -> TransactionPage in
      // One more than the page, to know whether another follows.
      let wanted = query.limit + 1
      var found: [TransactionRecord] = []
      if query.after?.isFinished != true {
        let start = query.after ?? .firstUnfinished
        found = try connection.listUnfinished(query, after: start, limit: wanted)
      }
      if !query.unfinishedOnly, found.count < wanted {
        let after = query.after.flatMap { $0.isFinished ? $0 : nil } ?? .firstFinished
        found += try connection.listFinished(query, after: after, limit: wanted - found.count)
      }
      let page = found.prefix(query.limit)
      return TransactionPage(
        transactions: Array(page),
        next: found.count > page.count ? page.last.map(TransactionCursor.init(after:)) : nil)
    }
  }
}

extension TransactionCursor {
  /// Before the oldest.
  fileprivate static let firstUnfinished = TransactionCursor(
    isFinished: false, createdAt: Timestamp(milliseconds: .min),
    id: TransactionID(high: 0, low: 0))

  /// Before the newest.
  fileprivate static let firstFinished = TransactionCursor(
    isFinished: true, createdAt: Timestamp(milliseconds: .max),
    id: TransactionID(high: .max, low: .max))
}
