import OnsideClient
import OnsideDomain
import OnsideKit
import OnsideProto
import Testing

extension LibraryTests {
  @Suite("External login: receipts, history and storefronts") @MainActor struct Receipts {
    private func buy(_ kit: Kit, _ Onside: Onside.Type) async throws -> OnsidePaymentTransaction {
      kit.external.currentUserID = "user-1"
      Onside.externalLoginDelegate = kit.external
      Onside.defaultPaymentQueue().add(observer: kit.observer)
      let coins = try #require(try await Onside.load(["coins"]).get().products.first)
      try await Onside.buy(coins, token: "order-7").get()
      return try #require(await kit.observer.transaction([.purchased, .failed]))
    }

    @Test("The reminder offers a receipt as proof of payment")
    func receipt() async throws {
      try await Kit.run { kit, Onside in
        let (shown, shows) = AsyncStream.makeStream(of: ReceiptReminderScreen.self)
        kit.presenter.script.receiptReminder = { screen in
          shows.yield(screen)
          return .receipt
        }
        let bought = try await buy(kit, Onside)
        for await _ in shown { break }
        // The receipt is shown next; a presenter has no event for it.
        while !kit.presenter.shown.contains(where: \.isReceipt) {
          try await Task.sleep(for: .milliseconds(2))
        }
        let receipts = kit.presenter.shown.compactMap {
          if case .receipt(let receipt) = $0 { receipt } else { nil }
        }
        let receipt = try #require(receipts.first)
        #expect(receipt.number == bought.transactionIdentifier)
        #expect(receipt.text.contains("4.99") && receipt.text.contains("Apple Pay"))
        #expect(receipt.text.contains("order-7"), "the app's own reference is on it")
        #expect(!receipt.text.contains("user-1"), "the external identifier is not")
      }
    }

    @Test("Skipping the reminder shows no receipt")
    func skip() async throws {
      try await Kit.run { kit, Onside in
        let (shown, shows) = AsyncStream.makeStream(of: Void.self)
        kit.presenter.script.receiptReminder = { _ in
          shows.yield()
          return .skip
        }
        _ = try await buy(kit, Onside)
        for await _ in shown { break }
        #expect(!kit.presenter.shown.contains { $0.isReceipt })
      }
    }

    @Test("Products are refreshed after a storefront change, which is announced")
    func storefront() async throws {
      try await Kit.run { kit, Onside in
        try await kit.logIn("user-1", Onside)
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        let before = try #require(try await Onside.load(["coins"]).get().products.first)
        #expect(before.price.currencyCode == "EUR" && queue.storefront?.countryCode == "DE")
        let name = ExternalName(appID: KitService.app, externalUserID: "user-1")
        _ = try await kit.service.sandbox.setStorefront(
          SetStorefrontRequest(profile: ProfileName(name: .external(name)), countryCode: "JP"))
        await kit.observer.wait { _ in kit.observer.storefronts.contains("JP") }
        #expect(queue.storefront?.countryCode == "JP")
        let after = try #require(try await Onside.load(["coins"]).get().products.first)
        #expect(after.price.currencyCode == "JPY" && after.price.value == 490)
      }
    }

    @Test("The signed history is the user's, and needs a session")
    func history() async throws {
      try await Kit.run { kit, Onside in
        guard case .failure(.notLoggedIn) = Onside.makeSignedInAppsHistoryRequest() else {
          Issue.record("nobody is signed in")
          return
        }
        _ = try await buy(kit, Onside)
        let request = try Onside.makeSignedInAppsHistoryRequest().get()
        let recorder = HistoryRecorder()
        request.delegate = recorder
        request.start()
        let history = try await recorder.answer().get()
        let text = try #require(history.string)
        #expect(text.split(separator: ".").count == 3)
        #expect(try await Onside.signedInAppsHistory().string?.isEmpty == false)
      }
    }
  }
}

extension ScriptedPresenter.Shown {
  fileprivate var isReceipt: Bool {
    if case .receipt = self { true } else { false }
  }
}

/// Takes the answer of one history request.
@MainActor private final class HistoryRecorder: OnsideSignedInAppsHistoryRequestDelegate {
  typealias Answer = Result<OnsideSignedInAppsHistory, OnsideSignedInAppsHistoryRequestError>

  private let awaited = Awaited<Answer>()

  func answer() async -> Answer { await awaited.answer() }

  func onsideSignedInAppsHistoryRequest(
    _ request: any OnsideSignedInAppsHistoryRequest, didReceive history: OnsideSignedInAppsHistory
  ) { awaited.take(.success(history)) }

  func onsideSignedInAppsHistoryRequest(
    _ request: any OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError
  ) { awaited.take(.failure(error)) }
}
