import Foundation
import OnsideClient
import OnsideKit
import Testing

extension LibraryTests {
  @Suite("The main actor goes on") @MainActor struct MainActors {
    /// A disk that doesn't answer: what reads the kept session waits until somebody opens the other
    /// end.
    private struct StuckDisk {
      private let path: String

      init(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/session.state"
        guard mkfifo(path, 0o600) == 0 else { throw KitFailure("no pipe at \(path)") }
      }

      /// Whether somebody waits for it; if so it goes on, and there is nothing on it.
      func answer() -> Bool {
        let end = open(path, O_WRONLY | O_NONBLOCK)
        guard end >= 0 else { return false }
        close(end)
        return true
      }
    }

    /// Every call of the interface, to its end.
    private func calls(
      _ kit: Kit, _ Onside: Onside.Type
    ) -> [(name: String, body: @MainActor () async -> Void)] {
      [
        ("requestLogin", { _ = await Onside.requestLogin() }),
        ("products", { _ = await Onside.load(["coins"]) }),
        ("restore", { try? await Onside.defaultPaymentQueue().restoreCompletedTransactions() }),
        ("payment methods", { _ = await Onside.showPaymentMethods() }),
        ("history", { _ = try? await Onside.signedInAppsHistory() }),
        ("attribution", { _ = try? await Onside.attributionMetadata() }),
      ]
    }

    @Test("No call blocks it, on a disk that doesn't answer")
    func stuckDisk() async throws {
      try await Kit.run(initializes: false) { kit, Onside in
        let disk = try StuckDisk(kit.service.folder + "/state")
        var configuration = kit.configuration
        configuration.stateFolder = kit.service.folder + "/state"
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        Onside.initialize(configuration: configuration)
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        var ended: [String] = []
        let calls = calls(kit, Onside).map { call in
          Task {
            await call.body()
            ended.append(call.name)
          }
        }
        // Nor do those that have an answer at once.
        #expect(Onside.defaultPaymentQueue().transactions.isEmpty)
        #expect(Onside.defaultPaymentQueue().storefront == nil)
        if let url = URL(string: "shop://other") { #expect(!Onside.handle(url: url)) }
        try Onside.trackEvent("start")
        // All of this runs on the main actor, while all calls are under way.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(ended.isEmpty, "they wait for the disk")
        while !disk.answer() { await Task.yield() }
        for call in calls { await call.value }
        #expect(ended.count == calls.count)
        #expect(kit.profile?.externalUserID == "user-1")
      }
    }

    @Test("No call blocks it, with a service that doesn't answer")
    func stuckService() async throws {
      try await Kit.run { kit, Onside in
        try await kit.logIn("user-1", Onside)
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        let held = [
          "ProductsService/ListProducts", "PaymentsService/CreatePurchase",
          "PaymentsService/ListPurchases", "PaymentsService/GetSignedHistory",
          "AnalyticsService/GetAttribution",
        ]
        var rules: [String] = []
        for method in held { rules.append(try await kit.service.hold(method)) }
        try await Onside.buy(coins).get()
        try await queue.restoreCompletedTransactions()
        var ended: [String] = []
        let calls = calls(kit, Onside).filter {
          ["products", "history", "attribution"].contains($0.name)
        }.map { call in
          Task {
            await call.body()
            ended.append(call.name)
          }
        }
        // Asking is itself the main actor's: it can't, while something blocks it.
        for rule in rules { while try await kit.service.matched(rule) == 0 {} }
        #expect(ended.isEmpty && queue.transactions.map(\.transactionState) == [.purchasing])
        Onside.logout()
        #expect(queue.transactions.isEmpty && queue.storefront == nil)
        await Onside.shutDown()
        for call in calls { await call.value }
      }
    }
  }
}
