import Foundation
import OnsideClient
import OnsideDomain
import OnsideKit
@testable import OnsideKitCore
import Testing

extension LibraryTests {
  @Suite("External login: local testing") @MainActor struct LocalTesting {
    private static let file = """
      {
        "identifier": "1", "nonRenewingSubscriptions": [], "subscriptionGroups": [],
        "settings": {"_storefront": "NLD", "_locale": "en_US"}, "version": {"major": 4, "minor": 0},
        "products": [
          {"displayPrice": "0.99", "familyShareable": false, "internalID": "1", "localizations": [
            {"description": "A hundred", "displayName": "Coins", "locale": "en_US"}],
           "productID": "coins", "referenceName": "Coins", "type": "Consumable"},
          {"displayPrice": "2.99", "familyShareable": false, "internalID": "2", "localizations": [],
           "productID": "no-ads", "referenceName": null, "type": "NonConsumable"}
        ]
      }
      """

    private func run(_ body: @MainActor (Kit) async throws -> Void) async throws {
      try await Kit.run(initializes: false) { kit, Onside in
        try Data(Self.file.utf8).write(
          to: URL(fileURLWithPath: kit.service.folder + "/Example.storekit"))
        let (environment, folder) = (Runtime.shared.environment, Runtime.shared.folder)
        defer { (Runtime.shared.environment, Runtime.shared.folder) = (environment, folder) }
        Runtime.shared.environment = { ["ONSIDE_PRESENTER": "none"] }
        Runtime.shared.folder = { kit.service.folder }
        Onside.initialize(storeKitConfigurationName: "Example")
        try await body(kit)
      }
    }

    @Test("Products come from the file, offline; their restrictions aren't simulated")
    func products() async throws {
      try await run { _ in
        let response = try await Onside.load(["coins", "no-ads", "x"]).get()
        #expect(response.products.map(\.productIdentifier) == ["coins", "no-ads"])
        #expect(response.products.first?.price.value == 0.99)
        #expect(response.products.first?.price.currencyCode == "EUR")
        #expect(response.unsupportedProductIdentifiers.isEmpty)
        #expect(response.invalidProductIdentifiers == ["x"])
      }
    }

    @Test("The external delegate is not asked")
    func delegate() async throws {
      try await run { kit in
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        // Nobody is there to type a number.
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.external.questions == 0)
      }
    }

    @Test("What needs the service isn't supported")
    func unsupported() async throws {
      try await run { _ in
        guard case .failure(.notSupportedInLocalTesting) = Onside.makeSignedInAppsHistoryRequest()
        else {
          Issue.record("there is a signed history")
          return
        }
        guard case .failure(.notSupportedInLocalTesting) = await Onside.showPaymentMethods() else {
          Issue.record("there are saved cards")
          return
        }
      }
    }

    @Test("A file that isn't there is named, and everything fails")
    func missing() async throws {
      try await Kit.run(initializes: false) { _, Onside in
        Onside.initialize(storeKitConfigurationName: "None")
        guard case .failure(.connectionError) = await Onside.load(["coins"]) else {
          Issue.record("something is sold")
          return
        }
        let error = #expect(throws: OnsideConfigurationError.self) {
          try StoreKitFile.path(of: "None", beside: "/nowhere/app", folder: "/nowhere")
        }
        #expect(error?.description.contains("None.storekit") == true)
      }
    }
  }
}
