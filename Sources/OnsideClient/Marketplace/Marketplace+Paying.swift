#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain
import Synchronization

/// Asking the user how to pay.
extension Marketplace {
  private static let maximumSheets = 10

  /// How the user pays; nil: not at all, and the transaction says why, or the session is over.
  func askForPayment(_ id: UUID, _ problem: String?, in run: UInt64) async -> PaymentMethod? {
    var problem = problem
    for _ in 0..<Self.maximumSheets {
      guard let entry = entry(id, in: run), let profile = profile else { return nil }
      let methods = await paymentMethods(of: profile)
      guard !methods.isEmpty else {
        fail(id, .refused, "Apple Pay isn't available any more", in: run)
        return nil
      }
      let sheet = PaymentSheet(
        product: entry.transaction.payment.product, storefront: entry.transaction.storefront,
        profileKind: profile.kind, methods: methods, problem: problem)
      let answer = await presenter.payment(sheet)
      guard isCurrent(run) else { return nil }
      switch await method(answer, sheet) {
      case .success(let method): return method
      case .failure(.again(let why)): problem = why
      case .failure(.failed(let code, let message)):
        fail(id, code, message, in: run)
        return nil
      }
    }
    fail(id, .cancelled, "no way to pay was chosen", in: run)
    return nil
  }

  private enum NoMethod: Error {
    case again(String)
    case failed(PaymentTransaction.Failure.Code, String)
  }

  private func method(
    _ answer: PaymentAnswer, _ sheet: PaymentSheet
  ) async -> Result<PaymentMethod, NoMethod> {
    switch answer {
    case .applePay(let token):
      guard sheet.methods.contains(.applePay) else {
        return .failure(.again("Apple Pay isn't available here."))
      }
      return .success(.applePay(token: token))
    case .savedCard(let id):
      return .success(.savedCard(id: id))
    case .newCard(let entry):
      guard sheet.methods.contains(.newCard) else {
        return .failure(.again("Cards can't be used here."))
      }
      if backend.isLocal { return .success(.card(token: "local-testing")) }
      do throws(OnsideError) {
        return .success(.savedCard(id: try await backend.addCard(entry).id))
      } catch {
        return .failure(.again(error.message))
      }
    case .cancel:
      return .failure(.failed(.cancelled, "the user didn't pay"))
    case .presentationFailed:
      return .failure(.failed(.presentationFailed, "the payment sheet couldn't be shown"))
    }
  }

  /// The default card first, then Apple Pay, the other cards, and a new one. An external profile
  /// has Apple Pay alone.
  private func paymentMethods(of profile: ProfileRecord) async -> [PaymentSheet.Method] {
    let applePay: [PaymentSheet.Method] = await presenter.isApplePayAvailable ? [.applePay] : []
    guard profile.kind == .regular else { return applePay }
    // A list that can't be loaded doesn't keep the user from paying otherwise.
    let cards = backend.isLocal ? [] : (try? await backend.cards()) ?? []
    let usual = cards.filter(\.isDefault).map(PaymentSheet.Method.savedCard)
    let others = cards.filter { !$0.isDefault }.map(PaymentSheet.Method.savedCard)
    return usual + applePay + others + [.newCard]
  }

  /// Offers a receipt after a purchase of an external profile. Nobody waits for it.
  func remindOfReceipt(_ transaction: PaymentTransaction, in run: UInt64) {
    state.withLock { state in
      guard state.run == run, !state.isClosed, state.profile?.kind == .external,
        let transactionID = transaction.transactionID
      else { return }
      let last = state.lastReminder
      state.lastReminder = Task {
        await last?.value
        guard isCurrent(run),
          await presenter.receiptReminder(ReceiptReminderScreen(transaction: transaction))
            == .receipt
        else { return }
        await showReceipt(transactionID, in: run)
      }
    }
  }

  private func showReceipt(_ transactionID: String, in run: UInt64) async {
    for attempt in 0..<5 {
      do throws(OnsideError) {
        let receipt = try await backend.receipt(transactionID: transactionID)
        guard isCurrent(run) else { return }
        return await presenter.receipt(receipt)
      } catch {
        note(error, in: run)
        guard error.code == .unavailable, await pauseAfter(attempt, in: run) else { return }
      }
    }
  }
}
