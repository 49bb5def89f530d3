import OnsideClient
import OnsideDomain
import OnsideKit
import OnsideProto
import Synchronization
import Testing

extension LibraryTests {
  @Suite("Login with a phone number") @MainActor struct PhoneLogins {
    /// The user's answers to the screens that ask for a code, one after the other.
    private func answer(_ kit: Kit, _ answers: [Answer]) {
      kit.answerPhone()
      kit.app.loginMethod = .local
      let newest = kit.presenter.script.phoneCode
      let left = Mutex(answers)
      let sent = Mutex("")
      kit.presenter.script.phoneCode = { screen in
        // One that is of no use any more isn't listed, but the user still has it.
        if case .code(let code) = await newest(screen) { sent.withLock { $0 = code } }
        let code = sent.withLock { $0 }
        return switch left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        case nil: .cancel
        case .right: .code(code)
        case .wrong: .code(code == "000000" ? "000001" : "000000")
        case .other(let answer): answer
        }
      }
    }

    private enum Answer {
      case right
      case wrong
      case other(PhoneCodeAnswer)
    }

    private func problems(_ kit: Kit) -> [Bool] {
      kit.presenter.shown.compactMap {
        if case .phoneCode(let screen) = $0 { screen.problem != nil } else { nil }
      }
    }

    @Test("A wrong code may be corrected, and another one sent")
    func corrected() async throws {
      try await Kit.run { kit, Onside in
        answer(kit, [.wrong, .other(.resend), .right])
        try await Onside.requestLogin().get()
        #expect(kit.profile?.kind == .regular)
        #expect(problems(kit).prefix(2) == [false, true])
      }
    }

    @Test("After too many wrong codes even the right one is of no use; a new one is")
    func tooMany() async throws {
      try await Kit.run { kit, Onside in
        answer(kit, Array(repeating: .wrong, count: 5) + [.right, .other(.resend), .right])
        try await Onside.requestLogin().get()
        #expect(kit.profile?.kind == .regular)
        let tries = kit.presenter.shown.compactMap {
          if case .phoneCode(let screen) = $0 { screen.triesLeft } else { nil }
        }
        #expect(tries.first == 4)
      }
    }

    @Test("Whoever closes the screen is not signed in, and nothing was done")
    func closed() async throws {
      try await Kit.run { kit, Onside in
        answer(kit, [.other(.cancel)])
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        guard case .failure(.loginDiscarded) = await Onside.buy(coins) else {
          Issue.record("somebody is signed in")
          return
        }
        #expect(kit.profile == nil && Onside.defaultPaymentQueue().transactions.isEmpty)
      }
    }

    @Test("The country of the app's delegate decides while nobody is signed in, and for new users")
    func country() async throws {
      try await Kit.run { kit, Onside in
        kit.app.country = "JP"
        let price = try #require(try await Onside.load(["coins"]).get().products.first).price
        #expect(price.currencyCode == "JPY" && price.value == 490)
        #expect(Onside.defaultPaymentQueue().storefront == nil)
        answer(kit, [.right])
        try await Onside.requestLogin().get()
        #expect(Onside.defaultPaymentQueue().storefront?.countryCode == "JP")
      }
    }
  }
}
