#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain
import RPC
import Synchronization

/// Sending a purchase until its outcome is known.
extension Marketplace {
  enum Sent {
    /// The outcome is known, or the session is over: what is on disk is sent again in the next.
    case over

    /// It was refused before anything was charged; the user is asked again, for this reason.
    case again(String?)
  }

  func send(_ id: UUID, in run: UInt64) async -> Sent {
    var attempt = 0
    while let entry = entry(id, in: run), case .sending(let method) = entry.step {
      let payment = entry.transaction.payment
      let request = PurchaseRequest(
        payment.product, paymentMethod: method, appAccountToken: payment.appAccountToken,
        idempotencyKey: entry.idempotencyKey)
      do throws(OnsideError) {
        settle(id, try await backend.purchase(request), in: run)
        return .over
      } catch {
        note(error, in: run)
        switch Outcome(error) {
        case .unknown:
          guard await pauseAfter(attempt, in: run) else { return .over }
          attempt += 1
        case .sessionOver: return .over
        case .refused:
          update(in: run) { $0.queue.fail(id, .refusal(error)) }
          return .over
        case .changed:
          update(in: run) { $0.queue.tryAnew(id) }
          return await refresh(id, error, in: run)
        case .otherMethod:
          update(in: run) { $0.queue.tryAnew(id) }
          return .again(error.message)
        case .owned:
          return await settleOwned(id, error, in: run)
        }
      }
    }
    return .over
  }

  /// What a failed purchase means.
  enum Outcome: Equatable {
    /// It may have been charged: the same request is sent again.
    case unknown
    case sessionOver
    case refused

    /// The user saw another price or storefront than it has now.
    case changed
    case otherMethod

    /// The profile has it already.
    case owned

    init(_ error: OnsideError) {
      switch error.code {
      case .superseded, .sessionLost, .notSignedIn, .cancelled: self = .sessionOver
      case .refused:
        switch error.reason {
        case .priceChanged, .storefrontChanged: self = .changed
        case .cardNotFound, .paymentMethodInvalid: self = .otherMethod
        case .alreadyOwned: self = .owned
        default: self = .refused
        }
      case .failed:
        switch error.cause?.code {
        case .invalidArgument, .notFound, .permissionDenied, .failedPrecondition, .unimplemented:
          self = .refused
        default: self = .unknown
        }
      default: self = .unknown
      }
    }
  }

  private func settle(_ id: UUID, _ record: TransactionRecord, in run: UInt64) {
    let bought = update(in: run) { $0.queue.settle(id, record) } ?? nil
    if let bought { remindOfReceipt(bought, in: run) }
  }

  /// Loads what has changed, so that the user sees it before anything else is sent.
  private func refresh(_ id: UUID, _ error: OnsideError, in run: UInt64) async -> Sent {
    if error.reason == .storefrontChanged {
      // The gate is asked before the product is loaded again.
      return await refreshProfile(in: run) ? .again(nil) : .over
    }
    return await reload(id, in: run) ? .again("The price has changed.") : .over
  }

  /// Loads the profile again: its storefront may have changed.
  @discardableResult
  func refreshProfile(in run: UInt64) async -> Bool {
    var attempt = 0
    while isCurrent(run) {
      do throws(OnsideError) {
        let profile = try await backend.profile()
        update(in: run) { $0.moveStorefront(profile.storefront) }
        return isCurrent(run)
      } catch {
        note(error, in: run)
        guard error.code != .superseded, await pauseAfter(attempt, in: run) else { return false }
        attempt += 1
      }
    }
    return false
  }

  /// The purchase that the profile owns already comes instead of a new one.
  private func settleOwned(_ id: UUID, _ error: OnsideError, in run: UInt64) async -> Sent {
    var attempt = 0
    while let entry = entry(id, in: run) {
      do throws(OnsideError) {
        let purchases = try await backend.purchases()
        let owned = purchases.first {
          $0.productIdentifier == entry.transaction.payment.product.identifier
        }
        guard let owned else { break }
        update(in: run) { $0.queue.giveBack(id, owned) }
        return .over
      } catch {
        note(error, in: run)
        guard error.code != .superseded, error.code != .refused,
          await pauseAfter(attempt, in: run)
        else { break }
        attempt += 1
      }
    }
    // It is owned but not paid yet: an earlier purchase waits for its outcome.
    update(in: run) { $0.queue.fail(id, .refusal(error)) }
    return .over
  }
}
