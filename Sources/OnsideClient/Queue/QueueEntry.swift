#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// A transaction as the queue keeps it, in memory and on disk.
struct QueueEntry: Equatable {
  /// How far the queue is with it.
  enum Step: Equatable {
    /// Nothing was asked yet, neither of the user nor of the service.
    case queued

    /// The purchase may have been sent, paid like this: it is sent again, with the same key, until
    /// the outcome is known.
    case sending(PaymentMethod)

    /// The service has it, and tells when something happens.
    case waiting

    /// Final. The app has to finish it.
    case settled

    /// The app has finished it; the service doesn't know yet. Not shown any more.
    case finishing
  }

  var transaction: PaymentTransaction
  var step = Step.queued

  /// Grows when the same payment is tried anew because the service refused it, so that the new
  /// fields come with a new key.
  var round = 0

  /// The service's last change, milliseconds since 1970 UTC; older news changes nothing.
  var changedAtMilliseconds = Int64.min

  /// What makes a repeated purchase one purchase. Known, and on disk, before anything is sent.
  var idempotencyKey: String { "\(transaction.id.uuidString.lowercased()).\(round)" }

  /// What the app sees in the queue.
  var isVisible: Bool { step != .finishing }
}

extension PaymentTransaction.Failure {
  /// What a refusal before any charge means.
  static func refusal(_ error: OnsideError) -> PaymentTransaction.Failure {
    PaymentTransaction.Failure(.refused, error.message, reason: error.reason)
  }

  init(_ reason: FailureReason?) {
    switch reason {
    case .cancelled: self.init(.cancelled, "the payment was cancelled")
    case .declined, nil: self.init(.declined, "the payment was declined")
    }
  }
}
