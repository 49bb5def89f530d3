/// The refusals that both stores give.
extension StoreError {
  static let storeClosed = StoreError(.closed, "the store is closed: the server is stopping")

  static let deadlinePassed = StoreError(
    .deadlineExceeded, "the request's deadline passed while it waited for the store")

  static func queueFull(_ capacity: Int) -> StoreError {
    StoreError(
      .overloaded, "\(capacity) requests wait for the store already: send fewer, or later")
  }

  /// A new transaction has the identifier of another one.
  static func transactionIDTaken(_ id: TransactionID) -> StoreError {
    StoreError(.requestFailed, "the transaction identifier \(id) is taken: choose a new one")
  }

  /// A new profile has the identifier of another one.
  static func profileIDTaken(_ id: ProfileID) -> StoreError {
    StoreError(.requestFailed, "the profile identifier \(id) is taken: choose a new one")
  }
}
