import Foundation
import OnsideClient
import OnsideDomain
import OnsideKit
import OnsideProto
import RPCCore
import Testing

extension LibraryTests {
  @Suite("External login: what it falls back to")
  @MainActor struct Fallback {
    /// The store app's user decides, and the store app opens the app again.
    private func answerInStoreApp(_ kit: Kit, _ Onside: Onside.Type, approves: Bool) {
      let sandbox = kit.service.sandbox
      kit.presenter.script.open = { url in
        guard let logins = try? await sandbox.listStoreLogins(ListStoreLoginsRequest()).logins,
          let login = logins.first(where: { $0.url == url })
        else { return false }
        Task { @MainActor in
          let decision = DecideStoreLoginRequest(
            loginID: login.loginID, phoneNumber: approves ? Kit.phoneNumber : "")
          let callback = try await sandbox.decideStoreLogin(decision).callbackURL
          guard let url = URL(string: callback) else { return }
          #expect(Onside.handle(url: url))
        }
        return true
      }
    }

    @Test("3. .auto by default: through the Onside store app and back by the callback URL")
    func storeApp() async throws {
      try await Kit.run { kit, Onside in
        answerInStoreApp(kit, Onside, approves: true)
        Onside.callbackScheme = "shop"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.external.questions == 1 && kit.app.methodQuestions == 1)
        #expect(kit.loginScreens == ["store app"])
        #expect(kit.profile?.kind == .regular)
      }
    }

    @Test("What fails for a moment is tried again, and nothing is fallen back to")
    func momentaryFailure() async throws {
      try await Kit.run { kit, Onside in
        try await kit.service.cut("LoginService/CreateSession")
        try await kit.service.fail("LoginService/GetProfile", with: .unavailable, count: 3)
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.external.questions == 1)
        #expect(kit.loginScreens.isEmpty)
        #expect(kit.profile?.kind == .external)
      }
    }

    @Test("What goes on failing is fallen back from after four tries")
    func lastingFailure() async throws {
      try await Kit.run { kit, Onside in
        kit.answerPhone()
        let fault = try await kit.service.fail(
          "LoginService/GetProfile", with: .unavailable, count: 4)
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        // The fifth is the phone login's; the watch for another storefront may have asked, too.
        let calls = try await kit.service.matched(fault)
        #expect(calls >= 5)
        #expect(kit.loginScreens == ["phone number", "phone code"])
        #expect(kit.profile?.kind == .regular)
      }
    }

    @Test("A refusal in the store app ends the login")
    func refusal() async throws {
      try await Kit.run { kit, Onside in
        answerInStoreApp(kit, Onside, approves: false)
        Onside.callbackScheme = "shop"
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.loginScreens == ["store app"] && kit.profile == nil)
      }
    }

    @Test("The fallback through the store app needs the callback URL's set-up")
    func noScheme() async throws {
      try await Kit.run { kit, Onside in
        kit.answerPhone()
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.loginScreens == ["phone number", "phone code"])
        #expect(kit.profile?.kind == .regular)
      }
    }

    @Test("4. After a profile that can't be loaded the phone login makes a regular session")
    func afterProfile() async throws {
      try await Kit.run { kit, Onside in
        kit.answerPhone()
        try await kit.service.fail("LoginService/GetProfile", count: 1)
        Onside.callbackScheme = "shop"
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.loginScreens == ["phone number", "phone code"])
        #expect(kit.profile?.kind == .regular)
        #expect(kit.app.methodQuestions == 0)
      }
    }

    @Test("If external login falls back to a regular account, regular purchase rules apply")
    func regularRules() async throws {
      try await Kit.run { kit, Onside in
        kit.answerPhone()
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        let response = try await Onside.load(["coins", "no-ads", "club"]).get()
        #expect(response.products.count == 3 && response.unsupportedProductIdentifiers.isEmpty)
        let noAds = try #require(
          response.products.first { $0.productIdentifier == "no-ads" })
        try await Onside.buy(noAds).get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.transactionState == .purchased)
        try await Onside.showPaymentMethods().get()
      }
    }

    @Test("To switch to a regular login: delegate to nil, log out, log in")
    func switches() async throws {
      try await Kit.run { kit, Onside in
        kit.answerPhone()
        kit.app.loginMethod = .local
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.profile?.kind == .external)
        Onside.externalLoginDelegate = nil
        Onside.logout()
        try await Onside.requestLogin().get()
        #expect(kit.profile?.kind == .regular)
      }
    }

    @Test("An external purchase does not appear in the Onside Store; a regular account's does")
    func storeList() async throws {
      try await Kit.run { kit, Onside in
        kit.answerPhone()
        kit.app.loginMethod = .local
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        var bought: [String?] = []
        for isExternal in [true, false] {
          Onside.externalLoginDelegate = isExternal ? kit.external : nil
          try await Onside.requestLogin().get()
          let coins = try #require(try await Onside.load(["coins"]).get().products.first)
          try await Onside.buy(coins).get()
          await kit.observer.wait { _ in
            queue.transactions.contains { $0.transactionState == .purchased }
          }
          let transaction = try #require(queue.transactions.first)
          bought.append(transaction.transactionIdentifier)
          queue.finishTransaction(transaction)
          Onside.logout()
        }
        let request = ListAccountPurchasesRequest(phoneNumber: Kit.phoneNumber)
        let listed = try await kit.service.sandbox.listAccountPurchases(request).purchases
        #expect(listed.map(\.transaction?.transactionID) == [bought.last ?? nil])
      }
    }
  }
}
