import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Logging in with a phone number")
struct PhoneLoginTests {
  @Test("The first login makes a regular profile, which is the same in every app")
  func makesOneProfile() async throws {
    let fixture = try await MarketplaceFixture()
    let first = try await fixture.logIn(phone: MarketplaceFixture.phoneNumber)
    #expect(first.created)
    #expect(first.storefrontCountry == "DE")
    let again = try await fixture.logIn(phone: MarketplaceFixture.phoneNumber)
    let elsewhere = try await fixture.logIn(
      phone: MarketplaceFixture.phoneNumber, app: TestCatalogue.other)
    for later in [again, elsewhere] {
      #expect(!later.created)
      #expect(later.profileID == first.profileID)
      #expect(later.sessionToken != first.sessionToken)
    }
    let external = try await fixture.logIn(MarketplaceFixture.phoneNumber)
    #expect(external.profileID != first.profileID)
  }

  @Test("Its profile names the session's app and storefront, and hides the number")
  func profile() async throws {
    let fixture = try await MarketplaceFixture()
    for (app, id) in [(TestCatalogue.shop, "DE-1"), (TestCatalogue.other, "DE")] {
      let session = try await fixture.logIn(phone: MarketplaceFixture.phoneNumber, app: app)
      let profile = try #require(
        try await fixture.login.getProfile(
          GetProfileRequest(), options: .session(session.sessionToken)
        ).profile)
      #expect(profile.profileID == session.profileID)
      #expect(profile.kind == .regular)
      #expect(profile.appID == app)
      #expect(profile.externalUserID.isEmpty)
      #expect(profile.phoneNumberHint == "+***********78")
      #expect(profile.storefront?.id == id)
      #expect(profile.storefront?.countryCode == "DE")
    }
  }

  @Test(
    "A new profile belongs where the hint says, else the number, else the app",
    arguments: [
      ("+4915112345678", "JP", "JP"), ("+819012345678", "", "JP"), ("+881612345678", "", "KW"),
    ])
  func storefront(_ number: String, _ hint: String, _ country: String) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.logIn(
      phone: number, app: TestCatalogue.other, country: hint)
    #expect(session.storefrontCountry == country)
    // Once made, it stays.
    let again = try await fixture.logIn(phone: number, country: "FR")
    #expect(again.storefrontCountry == country)
  }

  @Test("A code is good for five minutes, once, in its app, for its challenge")
  func codeLife() async throws {
    let fixture = try await MarketplaceFixture()
    func refusal(_ code: String, _ challenge: String, _ app: String) async throws -> RefusalReason?
    {
      try await failure { () throws(RPCError) in
        try await fixture.tryCode(code, of: challenge, app: app)
      }.refusalReason
    }
    let first = try await fixture.sendCode()
    #expect(first.expiresAtMs == fixture.clock.now.milliseconds + 300_000)
    #expect(first.challengeID.utf8.count <= 64)
    let code = try await fixture.code(of: first.challengeID)
    #expect(code.utf8.count == 6 && code.allSatisfy(\.isNumber))
    #expect(try await refusal(code, first.challengeID, TestCatalogue.other) == .phoneCodeExpired)
    #expect(try await refusal(code, "nonsense", TestCatalogue.shop) == .phoneCodeExpired)
    fixture.clock.advance(by: .milliseconds(299_999))
    _ = try await fixture.tryCode(code, of: first.challengeID)
    #expect(try await refusal(code, first.challengeID, TestCatalogue.shop) == .phoneCodeExpired)

    let second = try await fixture.sendCode()
    let late = try await fixture.code(of: second.challengeID)
    fixture.clock.advance(by: .seconds(300))
    #expect(try await refusal(late, second.challengeID, TestCatalogue.shop) == .phoneCodeExpired)
  }

  @Test("After five wrong tries the right code isn't taken either; a new one is")
  func tries() async throws {
    let fixture = try await MarketplaceFixture()
    let challenge = try await fixture.sendCode().challengeID
    let code = try await fixture.code(of: challenge)
    for left in (0..<5).reversed() {
      let error = try await failure { () throws(RPCError) in
        try await fixture.tryCode(MarketplaceFixture.other(than: code), of: challenge)
      }
      #expect(error.code == .unauthenticated)
      #expect(error.refusalReason == .phoneCodeWrong)
      #expect(error.info?.values["tries_left"] == String(left))
    }
    let error = try await failure { () throws(RPCError) in
      try await fixture.tryCode(code, of: challenge)
    }
    #expect(error.code == .resourceExhausted)
    #expect(error.refusalReason == .phoneLimited)
    #expect(error.info?.values["retry_after_ms"] == "0")
    #expect(try await fixture.logIn(phone: MarketplaceFixture.phoneNumber).created)
  }

  @Test(
    "What isn't E.164 is refused, without being repeated",
    arguments: [
      "", "4915112345678", "+49 151 12345678", "+0151123456", "+1234567", "+1234567890123456",
    ])
  func invalidNumber(_ number: String) async throws {
    let fixture = try await MarketplaceFixture()
    let error = try await failure { () throws(RPCError) in try await fixture.sendCode(to: number) }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .phoneNumberInvalid)
    #expect(number.isEmpty || !error.message.contains(number))
  }

  @Test("An app that isn't registered gets no code, and an invalid hint doesn't use one up")
  func otherRefusals() async throws {
    let fixture = try await MarketplaceFixture()
    let unknown = try await failure { () throws(RPCError) in
      try await fixture.sendCode(app: "com.example.nobody")
    }
    #expect(unknown.refusalReason == .appNotRegistered)
    let challenge = try await fixture.sendCode().challengeID
    let code = try await fixture.code(of: challenge)
    let hint = try await failure { () throws(RPCError) in
      try await fixture.tryCode(code, of: challenge, country: "de")
    }
    #expect(hint.refusalReason == .countryInvalid)
    #expect(try await fixture.tryCode(code, of: challenge).created)
  }

  @Test("60 simultaneous logins with one code: one has it")
  func oneUse() async throws {
    let fixture = try await MarketplaceFixture { $0.phoneLogin.freeWrongCodesPerAddress = 100 }
    let challenge = try await fixture.sendCode().challengeID
    let code = try await fixture.code(of: challenge)
    let reasons = await withTaskGroup(of: RefusalReason?.self) { group in
      for _ in 0..<60 {
        group.addTask {
          do throws(RPCError) {
            _ = try await fixture.tryCode(code, of: challenge)
            return nil
          } catch {
            return error.refusalReason
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reasons.filter { $0 == nil }.count == 1)
    #expect(reasons.filter { $0 == .phoneCodeExpired }.count == 59)
  }

  @Test("A code that couldn't be sent is UNAVAILABLE, and neither number nor code is logged")
  func gatewayFails() async throws {
    let gateway = BrokenGateway()
    let fixture = try await MarketplaceFixture { $0.phoneGateway = gateway }
    let error = try await failure { () throws(RPCError) in try await fixture.sendCode() }
    #expect(error.code == .unavailable)
    #expect(fixture.log.lines.contains("the line is dead"))
    #expect(!fixture.log.lines.contains("12345678"))
    let sandbox = try fixture.control()
    let codes = try await failure { () throws(RPCError) in
      try await sandbox.listPhoneCodes(
        ListPhoneCodesRequest(phoneNumber: MarketplaceFixture.phoneNumber))
    }
    #expect(codes.refusalReason == .sandboxNotFound)
  }

  private struct BrokenGateway: PhoneGateway {
    func send(_ message: PhoneMessage) async throws(PhoneGatewayError) {
      throw PhoneGatewayError("the line is dead")
    }
  }
}
