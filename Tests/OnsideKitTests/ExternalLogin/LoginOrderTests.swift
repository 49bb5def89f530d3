import OnsideClient
import OnsideDomain
import OnsideKit
import Testing

@Suite("The process's library", .serialized, .timeLimit(.minutes(2)))
@MainActor struct LibraryTests {}

extension LibraryTests {
  /// Each test is a sentence of external-login.txt, or a part of one.
  @Suite("External login: order and fallback") @MainActor struct LoginOrder {
    @Test("A session is created with the app's account identifier; no login flow is presented")
    func session() async throws {
      try await Kit.run { kit, Onside in
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.profile?.kind == .external)
        #expect(kit.loginScreens.isEmpty)
        #expect(kit.app.methodQuestions == 0)
        #expect(Onside.defaultPaymentQueue().storefront?.countryCode == "DE")
      }
    }

    @Test("The identifier is the profile's external_user_id, not a token")
    func identifier() async throws {
      try await Kit.run { kit, Onside in
        kit.external.currentUserID = "Größe 7 / 🎲"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.profile?.externalUserID == "Größe 7 / 🎲")
      }
    }

    @Test("External login is optional and disabled by default")
    func off() async throws {
      try await Kit.run { kit, Onside in
        #expect(Onside.externalLoginDelegate == nil)
        kit.app.loginMethod = .local
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.loginScreens == ["phone number"])
        #expect(kit.external.questions == 0)
      }
    }

    @Test("1. The identifier is asked for; external login is separate from the store app's")
    func separate() async throws {
      try await Kit.run { kit, Onside in
        Onside.callbackScheme = "shop"
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.external.questions == 1)
        #expect(kit.loginScreens.isEmpty)
      }
    }

    @Test("2. The SDK creates a session and loads the resulting profile")
    func profile() async throws {
      try await Kit.run { kit, Onside in
        let created = try await kit.service.count("LoginService/CreateSession")
        let loaded = try await kit.service.count("LoginService/GetProfile")
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(try await kit.service.matched(created) == 1)
        #expect(try await kit.service.matched(loaded) >= 1)
      }
    }

    @Test("3. Without an identifier onsideLoginMethod() is used", arguments: ["local", "older"])
    func missing(spelling: String) async throws {
      try await Kit.run { kit, Onside in
        let created = try await kit.service.count("LoginService/CreateSession")
        Onside.externalLoginDelegate = kit.external
        if spelling == "local" { kit.app.loginMethod = .local } else { kit.app.forcesLocal = true }
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.external.questions == 1)
        #expect(kit.loginScreens == ["phone number"])
        #expect(kit.app.methodQuestions == (spelling == "local" ? 1 : 0))
        #expect(try await kit.service.matched(created) == 0)
      }
    }

    @Test("3. An empty identifier is passed through to the service, which refuses it; as above")
    func empty() async throws {
      try await Kit.run { kit, Onside in
        let created = try await kit.service.count("LoginService/CreateSession")
        kit.external.currentUserID = ""
        kit.app.loginMethod = .local
        Onside.externalLoginDelegate = kit.external
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(try await kit.service.matched(created) == 1)
        #expect(kit.app.methodQuestions == 1)
        #expect(kit.loginScreens == ["phone number"])
      }
    }

    @Test("3. If session creation fails, onsideLoginMethod() is used")
    func failedSession() async throws {
      try await Kit.run { kit, Onside in
        try await kit.service.fail("LoginService/CreateSession")
        kit.external.currentUserID = "user-1"
        kit.app.loginMethod = .local
        Onside.externalLoginDelegate = kit.external
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.app.methodQuestions == 1)
        #expect(kit.loginScreens == ["phone number"])
        #expect(Onside.defaultPaymentQueue().storefront == nil)
      }
    }

    @Test("4. Loading the profile fails: the in-SDK phone login follows, never the store app")
    func failedProfile() async throws {
      try await Kit.run { kit, Onside in
        try await kit.service.fail("LoginService/GetProfile", count: 1)
        let ended = try await kit.service.count("LoginService/EndSession")
        Onside.callbackScheme = "shop"
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.app.methodQuestions == 0)
        #expect(kit.loginScreens == ["phone number"])
        #expect(kit.profile == nil)
        #expect(try await kit.service.matched(ended) == 1)
      }
    }

    @Test("The identifier is requested for each attempt, for the current user")
    func eachAttempt() async throws {
      try await Kit.run { kit, Onside in
        Onside.externalLoginDelegate = kit.external
        for (number, user) in ["user-1", "user-2"].enumerated() {
          kit.external.currentUserID = user
          try await Onside.requestLogin().get()
          #expect(kit.external.questions == number + 1)
          #expect(kit.profile?.externalUserID == user)
          Onside.logout()
          #expect(Onside.defaultPaymentQueue().storefront == nil)
        }
      }
    }

    @Test("Assigning a delegate does not replace an authenticated session")
    func assigned() async throws {
      try await Kit.run { kit, Onside in
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        let other = ExternalLoginProvider()
        other.currentUserID = "user-2"
        Onside.externalLoginDelegate = other
        try await Onside.requestLogin().get()
        #expect(kit.profile?.externalUserID == "user-1")
        #expect(other.questions == 0)
      }
    }

    @Test("On-demand operations reuse an existing profile")
    func onDemand() async throws {
      try await Kit.run { kit, Onside in
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        let created = try await kit.service.count("LoginService/CreateSession")
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins).get()
        try await Onside.defaultPaymentQueue().restoreCompletedTransactions()
        #expect(kit.external.questions == 1)
        #expect(try await kit.service.matched(created) == 0)
      }
    }

    @Test("Actions that require a missing session log in first", arguments: 0..<3)
    func actions(action: Int) async throws {
      try await Kit.run { kit, Onside in
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        switch action {
        case 0:
          let coins = try #require(try await Onside.load(["coins"]).get().products.first)
          #expect(kit.external.questions == 0)
          try await Onside.buy(coins).get()
        case 1: try await Onside.defaultPaymentQueue().restoreCompletedTransactions()
        default:
          guard case .failure(.notSupportedForExternalLogin) = await Onside.showPaymentMethods()
          else {
            Issue.record("an external profile has no saved cards")
            return
          }
        }
        #expect(kit.external.questions == 1)
        #expect(kit.profile?.externalUserID == "user-1")
      }
    }

    @Test("Two actions that need a session at the same moment start one login")
    func oneLogin() async throws {
      try await Kit.run { kit, Onside in
        let created = try await kit.service.count("LoginService/CreateSession")
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        async let first = Onside.requestLogin()
        async let second = Onside.requestLogin()
        try await first.get()
        try await second.get()
        #expect(kit.external.questions == 1)
        #expect(try await kit.service.matched(created) == 1)
      }
    }

    @Test("Returning .local from onsideLoginMethod() does not disable external login")
    func localStays() async throws {
      try await Kit.run { kit, Onside in
        kit.app.loginMethod = .local
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        #expect(kit.profile?.kind == .external)
        #expect(kit.loginScreens.isEmpty)
      }
    }

    @Test("To disable future external attempts the delegate is set to nil; then log out and in")
    func disabled() async throws {
      try await Kit.run { kit, Onside in
        kit.app.loginMethod = .local
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        Onside.externalLoginDelegate = nil
        #expect(kit.profile?.kind == .external, "the session stays")
        Onside.logout()
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.external.questions == 1)
        #expect(kit.loginScreens == ["phone number"])
      }
    }

    @Test("logout() does not sign the user out of the app's account system")
    func logout() async throws {
      try await Kit.run { kit, Onside in
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.requestLogin().get()
        Onside.logout()
        #expect(kit.external.currentUserID == "user-1")
        #expect(Onside.externalLoginDelegate === kit.external)
        try await Onside.requestLogin().get()
        #expect(kit.profile?.externalUserID == "user-1")
      }
    }
  }
}
