#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain
import Synchronization

/// How one payment is carried out.
extension Marketplace {
  /// How often the user is asked about one payment before it fails.
  private static let maximumRounds = 10

  func execute(_ id: UUID, in run: UInt64) async {
    await carryOut(id, in: run)
    let held = update(in: run) { state in
      state.queue.stopExecuting(id)
      return state.queue.takeHeld()
    }
    for record in held ?? [] { await take(record, in: run) }
  }

  private func carryOut(_ id: UUID, in run: UInt64) async {
    var problem: String?
    for _ in 0..<Self.maximumRounds {
      if case .queued = step(id, in: run) {
        guard await settleStorefront(id, in: run),
          let method = await askForPayment(id, problem, in: run),
          await keep(method, for: id, in: run)
        else { return }
      }
      guard case .sending = step(id, in: run) else { return }
      switch await send(id, in: run) {
      case .over: return
      case .again(let why): problem = why
      }
    }
    fail(id, .refused, "the service refused the purchase again and again", in: run)
  }

  private func step(_ id: UUID, in run: UInt64) -> QueueEntry.Step? {
    entry(id, in: run)?.step
  }

  func entry(_ id: UUID, in run: UInt64) -> QueueEntry? {
    state.withLock { $0.run == run && !$0.isClosed ? $0.queue.entry(id) : nil }
  }

  func fail(
    _ id: UUID, _ code: PaymentTransaction.Failure.Code, _ message: String, in run: UInt64
  ) {
    update(in: run) { $0.queue.fail(id, PaymentTransaction.Failure(code, message)) }
  }

  /// Asks the host whether the purchase goes on in another storefront than the one that it was
  /// enqueued in, if the user's is another one by now.
  private func settleStorefront(_ id: UUID, in run: UInt64) async -> Bool {
    for _ in 0..<Self.maximumRounds {
      guard let entry = entry(id, in: run), let storefront = storefront(in: run) else {
        return false
      }
      if entry.transaction.storefront.id == storefront.id { return true }
      let host = host
      guard await host.continues(entry.transaction, storefront) else {
        fail(id, .cancelled, "the app didn't go on in another storefront", in: run)
        return false
      }
      guard await reload(id, in: run) else { return false }
    }
    fail(id, .cancelled, "the storefront changed again and again", in: run)
    return false
  }

  private func storefront(in run: UInt64) -> Storefront? {
    state.withLock { $0.run == run ? $0.profile?.storefront : nil }
  }

  /// Loads the product as the user's storefront sells it now.
  func reload(_ id: UUID, in run: UInt64) async -> Bool {
    var attempt = 0
    while let entry = entry(id, in: run) {
      do throws(OnsideError) {
        let list = try await backend.products(
          [entry.transaction.payment.product.identifier], countryHint: nil)
        guard let product = list.products.first else {
          fail(id, .refused, "the product isn't sold in this storefront", in: run)
          return false
        }
        update(in: run) { state in
          state.moveStorefront(list.storefront)
          state.queue.move(id, to: product)
        }
        return isCurrent(run)
      } catch {
        note(error, in: run)
        guard error.isTransient else {
          fail(id, .refused, error.message, in: run)
          return false
        }
        guard await pauseAfter(attempt, in: run) else { return false }
        attempt += 1
      }
    }
    return false
  }

  /// How to pay is on disk, with the key, before anything is sent.
  private func keep(_ method: PaymentMethod, for id: UUID, in run: UInt64) async -> Bool {
    guard update(in: run, { $0.queue.choose(method, for: id) != nil }) == true else { return false }
    guard let problem = await saved() else { return isCurrent(run) }
    fail(id, .storeFailed, problem.message, in: run)
    return false
  }
}

extension Marketplace.State {
  /// The user's storefront, as the service says now.
  mutating func moveStorefront(_ storefront: Storefront) {
    guard let present = profile, present.storefront != storefront else { return }
    profile?.storefront = storefront
    queue.tell(.storefrontChanged(storefront))
  }
}
