import OnsideClient
import OnsideKit
@testable import OnsideKitCore
import Testing

extension LibraryTests {
  @Suite("External login: the delegate") @MainActor struct Delegate {
    @Test("The sample, as it stands, signs its user in; what it needs is outside of its code")
    func sample() async throws {
      try await Kit.run(initializes: false) { kit, _ in
        let environment = Runtime.shared.environment
        defer { Runtime.shared.environment = environment }
        Runtime.shared.environment = {
          [
            "ONSIDE_SERVICE": kit.service.address, "ONSIDE_APP_ID": KitService.app,
            "ONSIDE_CA": kit.service.certificates.folder + "/ca.pem",
            "ONSIDE_STATE_FOLDER": kit.service.folder + "/state", "ONSIDE_PRESENTER": "none",
          ]
        }
        let integration = OnsideIntegration()
        integration.configure(currentUserID: "user-1")
        try await Onside.requestLogin().get()
        #expect(kit.profile?.externalUserID == "user-1")
        #expect(Onside.externalLoginDelegate is SampleProvider)
      }
    }

    @Test("The SDK holds this delegate weakly; without its owner it is gone, and login falls back")
    func weakly() async throws {
      try await Kit.run { kit, Onside in
        kit.app.loginMethod = .local
        var provider: ExternalLoginProvider? = ExternalLoginProvider()
        provider?.currentUserID = "user-1"
        Onside.externalLoginDelegate = provider
        weak let released = provider
        provider = nil
        #expect(released == nil && Onside.externalLoginDelegate == nil)
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.loginScreens == ["phone number"])
      }
    }

    @Test("The delegate can await the app's account service without blocking the main actor")
    func slow() async throws {
      try await Kit.run { kit, Onside in
        let (asked, asks) = AsyncStream.makeStream(of: Void.self)
        let (answered, answers) = AsyncStream.makeStream(of: Void.self)
        kit.external.lookUp = {
          asks.yield()
          for await _ in answered { break }
        }
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        async let login = Onside.requestLogin()
        for await _ in asked { break }
        // This runs on the main actor while the delegate waits on it.
        #expect(kit.profile == nil)
        answers.yield()
        try await login.get()
        #expect(kit.profile?.externalUserID == "user-1")
      }
    }

    @Test("A delegate that answers after logout() is ignored")
    func late() async throws {
      try await Kit.run { kit, Onside in
        let created = try await kit.service.count("LoginService/CreateSession")
        kit.external.lookUp = { Onside.logout() }
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(kit.profile == nil && kit.loginScreens.isEmpty)
        #expect(try await kit.service.matched(created) == 0)
      }
    }
  }
}

// The sample of external-login.txt, which the compile test has too; here it runs.

@MainActor
private final class SampleProvider: OnsideExternalLoginDelegate {
  var currentUserID: String?

  func onsideExternalAccountToken() async -> String? {
    currentUserID
  }
}

@MainActor
private final class OnsideIntegration {
  // The SDK holds this delegate weakly; retain it in a long-lived owner.
  private let externalLogin = SampleProvider()

  func configure(currentUserID: String?) {
    Onside.initialize()
    externalLogin.currentUserID = currentUserID
    Onside.externalLoginDelegate = externalLogin
  }
}
