import OnsideDomain

/// What beginning a purchase found.
public enum PurchaseBeginning: Hashable, Sendable {
  /// The intent is on disk: the payment may be asked for.
  case new(TransactionRecord)

  /// The same request came before, and its outcome is known.
  case existing(TransactionRecord)

  /// The same request came before, and its outcome isn't known yet.
  case inProgress(TransactionRecord)

  /// The key was used for a purchase with other fields: this one.
  case conflict(TransactionRecord)

  /// The product can be had only once, and the profile has this purchase of it; its state is
  /// purchased, or purchasing or deferred if it is still open.
  case alreadyOwned(TransactionRecord)
}

/// What recording an outcome did.
public enum OutcomeRecording: Hashable, Sendable {
  /// The state changed; the transaction is as it is now.
  case recorded(TransactionRecord)

  /// The outcome was known already.
  case unchanged(TransactionRecord)

  /// The outcome contradicts a final state, which stays.
  case refused(TransactionRecord)

  /// The profile has no such transaction.
  case notFound
}

/// What finishing a transaction did.
public enum FinishResult: Hashable, Sendable {
  /// It is finished, now or since an earlier call.
  case finished(TransactionRecord)

  /// Only a final state can be finished.
  case notFinal(TransactionRecord)

  /// The profile has no such transaction in this app.
  case notFound
}

/// Which transactions to list.
public struct TransactionQuery: Hashable, Sendable {
  public let profileID: ProfileID
  public let appID: String

  /// How many at most; taken as 1 to 500.
  public let limit: Int

  /// Where the previous page ended; nil: from the start.
  public let after: TransactionCursor?

  public let unfinishedOnly: Bool

  public init(
    profileID: ProfileID, appID: String, limit: Int, after: TransactionCursor? = nil,
    unfinishedOnly: Bool = false
  ) {
    self.profileID = profileID
    self.appID = appID
    self.limit = min(max(limit, 1), Self.maximumLimit)
    self.after = after
    self.unfinishedOnly = unfinishedOnly
  }

  /// The most that one page holds.
  public static let maximumLimit = 500
}

/// A part of a list of transactions.
public struct TransactionPage: Hashable, Sendable {
  public let transactions: [TransactionRecord]

  /// Where the next page begins; nil: this was the last.
  public let next: TransactionCursor?

  public init(transactions: [TransactionRecord], next: TransactionCursor?) {
    self.transactions = transactions
    self.next = next
  }
}
