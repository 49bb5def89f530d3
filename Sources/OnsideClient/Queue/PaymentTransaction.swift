#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import OnsideDomain

/// What an app wants its user to buy.
public struct Payment: Sendable, Hashable {
  /// As the user saw it: with its price and its storefront.
  public var product: ProductRecord

  /// The app's own reference, at most 1,024 bytes; comes back as it was given. Independent of the
  /// external account identifier.
  public var appAccountToken: String?

  /// A payment for one item of a product.
  public init(_ product: ProductRecord, appAccountToken: String? = nil) {
    self.product = product
    self.appAccountToken = appAccountToken
  }
}

/// A payment on its way, as the queue shows it.
///
/// A transaction stays in the queue until the app finishes it, also through a crash and a restart.
public struct PaymentTransaction: Sendable, Hashable, Identifiable {
  /// Where a transaction stands.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// Nothing is decided yet. `isDeferred` tells whether somebody has to approve.
    case purchasing

    /// Paid. Deliver, then finish.
    case purchased

    /// Owned already, and given back by a restore or a repeated purchase. Deliver, then finish.
    case restored

    /// Not paid. Finish.
    case failed
  }

  /// Why a transaction failed.
  public struct Failure: Error, Sendable, Hashable {
    /// The kind of a failure. An open set: later versions may have more.
    public struct Code: RawRepresentable, Sendable, Hashable {
      public let rawValue: String

      /// Makes a code that isn't among the named ones.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The user or the storefront gate said no.
      public static let cancelled = Code(rawValue: "cancelled")

      /// The payment sheet couldn't be shown.
      public static let presentationFailed = Code(rawValue: "presentationFailed")

      /// The payment was declined.
      public static let declined = Code(rawValue: "declined")

      /// The service refused the purchase before anything was charged; `reason` says why.
      public static let refused = Code(rawValue: "refused")

      /// The queue's file can't be written, so nothing was sent.
      public static let storeFailed = Code(rawValue: "storeFailed")
    }

    /// The kind of failure, for programs.
    public let code: Code

    /// What happened, for people.
    public let message: String

    /// The service's reason, where it refused.
    public let reason: RefusalReason?

    /// Makes a failure.
    public init(_ code: Code, _ message: String, reason: RefusalReason? = nil) {
      self.code = code
      self.message = message
      self.reason = reason
    }
  }

  /// Made by this device, and kept until the transaction is finished.
  public let id: UUID

  /// The service's identifier; nil while it isn't known.
  public internal(set) var transactionID: String?

  /// Of a renewed or restored purchase: the first one's. Nil while it isn't known.
  public internal(set) var originalTransactionID: String?

  /// What was asked for.
  public internal(set) var payment: Payment

  /// Where the transaction stands.
  public internal(set) var state: State

  /// True while somebody has to approve the purchase; its state is purchasing then.
  public internal(set) var isDeferred: Bool

  /// Where the purchase is made: first the storefront that it was enqueued in.
  public internal(set) var storefront: Storefront

  /// Only in the state failed.
  public internal(set) var failure: Failure?

  init(
    id: UUID = UUID(), payment: Payment, state: State = .purchasing, storefront: Storefront,
    transactionID: String? = nil, originalTransactionID: String? = nil, isDeferred: Bool = false,
    failure: Failure? = nil
  ) {
    self.id = id
    self.payment = payment
    self.state = state
    self.storefront = storefront
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.isDeferred = isDeferred
    self.failure = failure
  }

  /// Nothing changes any more; the app has to finish the transaction.
  public var isFinal: Bool { state != .purchasing }
}
