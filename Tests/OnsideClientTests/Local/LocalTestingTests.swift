import Foundation
import OnsideDomain
import Synchronization
import TestSupport
import Testing

@testable import OnsideClient

/// Local testing from a `.storekit` file, without any service.
@Suite(.timeLimit(.minutes(1))) struct LocalTestingTests {
  private let presenter = ScriptedPresenter()

  private func marketplace(
    _ settings: String = "", directory: String? = nil
  ) throws -> Marketplace {
    let path = NSTemporaryDirectory() + "local-\(UUID().uuidString).storekit"
    try """
    {
      "version": {"major": 4, "minor": 0},
      "settings": {"_locale": "de_DE", "_storefront": "DEU"\(settings)},
      "products": [
        {"productID": "coins", "type": "Consumable", "displayPrice": "4.99", "referenceName": null,
         "localizations": [
           {"locale": "en_US", "displayName": "Coins", "description": ""},
           {"locale": "de", "displayName": "Münzen", "description": "Viele"}]},
        {"productID": "gate", "type": "NonConsumable", "displayPrice": "2", "localizations": []}
      ],
      "subscriptionGroups": [{"id": "g", "name": "Club", "subscriptions": [
        {"productID": "club", "type": "RecurringSubscription", "displayPrice": "9.99",
         "recurringSubscriptionPeriod": "P1M", "localizations": [],
         "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"}}]}]
    }
    """.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    presenter.script.phoneNumber = { _ in .number("+491701234567") }
    presenter.script.phoneCode = { _ in .code("000000") }
    var configuration = Shop.configuration()
    configuration.stateDirectory = directory
    return try Marketplace(
      storeKitFile: path, appID: "com.example.shop", presenter: presenter,
      configuration: configuration)
  }

  @Test func productsAreTheFiles() async throws {
    let list = try await marketplace().products(["coins", "club", "nothing", "coins"])
    #expect(list.products.map(\.identifier) == ["coins", "club"])
    #expect(list.invalidIdentifiers == ["nothing"])
    #expect(list.products.first?.title == "Münzen")
    #expect(list.products.first?.price.description == "4.99 EUR")
    #expect(list.products.last?.subscriptionPeriod?.iso8601 == "P1M")
    #expect(list.products.last?.introductoryPrice?.period.iso8601 == "P1W")
    #expect(list.storefront.country.alpha2 == "DE")
  }

  /// Property P2, from a file: products and invalid identifiers together are the request.
  @Test(arguments: Seeds.first(3))
  func anyRequestFallsIntoParts(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let marketplace = try marketplace()
    let sold = ["coins", "gate", "club"]
    let pool = sold + ["", "coin", "Coins", "e\u{301}", "\u{e9}", "\u{1f3b2}"]
    for _ in 0..<100 {
      let request = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        pool.randomElement(using: &random) ?? ""
      }
      let list = try await marketplace.products(request)
      var seen: Set<[UInt8]> = []
      let distinct = request.map { Array($0.utf8) }.filter { seen.insert($0).inserted }
      let isSold = { (bytes: [UInt8]) in sold.contains { Array($0.utf8) == bytes } }
      #expect(
        list.products.map { Array($0.identifier.utf8) } == distinct.filter(isSold), "seed \(seed)")
      #expect(
        list.invalidIdentifiers.map { Array($0.utf8) } == distinct.filter { !isSold($0) },
        "seed \(seed)")
      #expect(list.unsupportedIdentifiers.isEmpty)
    }
  }

  @Test func theExternalAccountIsNotAskedFor() async throws {
    let marketplace = try marketplace()
    marketplace.host = MarketplaceHost(
      externalAccount: {
        Issue.record("local testing has no external profiles")
        return "anna"
      },
      loginMethod: {
        Issue.record("local testing logs in locally")
        return .auto
      })
    try await marketplace.logIn()
    #expect(marketplace.profile?.kind == .regular)
    #expect(marketplace.storefront?.id == "DE")
  }

  @Test func aPurchaseIsMadeFinishedAndRestored() async throws {
    let marketplace = try marketplace()
    let recorder = Recorder(marketplace)
    let list = try await marketplace.products(["gate"])
    let bought = try await marketplace.add(Payment(try #require(list.products.first)))
    await recorder.until(.purchased)
    try marketplace.finish(bought.id)
    try await marketplace.restoreCompletedTransactions()
    await recorder.until(.restored)
    await recorder.until { $0.contains(.restoreFinished) }
  }

  @Test func purchasesFailWhereTheFileSaysSo() async throws {
    let marketplace = try marketplace(", \"_failTransactionsEnabled\": true")
    let recorder = Recorder(marketplace)
    let list = try await marketplace.products(["coins"])
    try await marketplace.add(Payment(try #require(list.products.first)))
    await recorder.until(.failed)
    #expect(recorder.updates.last?.failure?.code == .declined)
  }

  @Test func purchasesWaitForApprovalWhereTheFileSaysSo() async throws {
    let marketplace = try marketplace(", \"_askToBuyEnabled\": true")
    let recorder = Recorder(marketplace)
    let list = try await marketplace.products(["coins"])
    try await marketplace.add(Payment(try #require(list.products.first)))
    await recorder.until { events in
      events.contains { event in
        if case .updated(let list) = event { list.contains(where: \.isDeferred) } else { false }
      }
    }
    let id = try #require(recorder.updates.last?.transactionID)
    #expect(marketplace.decideLocally(transactionID: id, approve: true))
    #expect(!marketplace.decideLocally(transactionID: id, approve: true))
    await recorder.until(.purchased)
  }

  /// What waits for approval, and what is owned, is still there at the next launch.
  @Test func purchasesSurviveTheProcess() async throws {
    let directory = NSTemporaryDirectory() + "local-state-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let id = try await buyAndClose(", \"_askToBuyEnabled\": true", in: directory)
    let next = try marketplace(", \"_askToBuyEnabled\": true", directory: directory)
    let recorder = Recorder(next)
    try await next.logIn()
    #expect(next.decideLocally(transactionID: id, approve: true))
    await recorder.until(.purchased)
    try next.finish(try #require(recorder.updates.last).id)
    try await next.restoreCompletedTransactions()
    await recorder.until(.restored)
    next.close()
  }

  private func buyAndClose(_ settings: String, in directory: String) async throws -> String {
    let marketplace = try marketplace(settings, directory: directory)
    let recorder = Recorder(marketplace)
    let list = try await marketplace.products(["gate"])
    try await marketplace.add(Payment(try #require(list.products.first)))
    await recorder.until { events in
      events.contains { event in
        if case .updated(let list) = event { list.contains(where: \.isDeferred) } else { false }
      }
    }
    _ = await marketplace.saved()
    await marketplace.shutDown()
    return try #require(recorder.updates.last?.transactionID)
  }

  @Test func whatNeedsTheServiceSaysSo() async throws {
    let marketplace = try marketplace()
    let cards = await problem { try await marketplace.presentPaymentMethods() }
    let history = await problem { _ = try await marketplace.signedHistory() }
    #expect(cards?.code == .notSupportedInLocalTesting)
    #expect(history?.code == .notSupportedInLocalTesting)
    #expect(try await marketplace.attribution() == nil)
    try marketplace.track("step")
    #expect(presenter.shown.isEmpty)
  }

  @Test func aFileThatCantBeUsedIsNamed() {
    let error = #expect(throws: OnsideError.self) {
      try Marketplace(storeKitFile: "/nowhere.storekit", appID: "a", presenter: presenter)
    }
    #expect(error?.message.contains("/nowhere.storekit") == true)
  }
}
