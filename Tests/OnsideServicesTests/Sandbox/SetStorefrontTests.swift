import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Setting a profile's storefront")
struct SetStorefrontTests {
  private func set(
    _ fixture: MarketplaceFixture, _ name: ProfileName.Name?, _ country: String
  ) async throws -> OnsideProto.Storefront? {
    try await fixture.control().setStorefront(
      SetStorefrontRequest(profile: ProfileName(name: name), countryCode: country)
    ).storefront
  }

  private func storefront(
    _ fixture: MarketplaceFixture, _ session: CallOptions
  ) async throws -> String? {
    try await fixture.login.getProfile(GetProfileRequest(), options: session).profile?
      .storefront?.id
  }

  private func price(
    _ fixture: MarketplaceFixture, _ session: CallOptions
  ) async throws -> String? {
    try await fixture.products.listProducts(
      ListProductsRequest(productIdentifiers: ["coins"]), options: session
    ).products.first?.price?.currencyCode
  }

  @Test("A session that is open sees it at once: in its profile, its products, its purchases")
  func openSession() async throws {
    let fixture = try await MarketplaceFixture()
    let login = try await fixture.logIn()
    let session = CallOptions.session(login.sessionToken)
    #expect(try await price(fixture, session) == "EUR")
    let now = try await set(fixture, .profileID(login.profileID), "JP")
    #expect(now?.id == "JP" && now?.countryCode == "JP")
    #expect(try await storefront(fixture, session) == "JP")
    #expect(try await price(fixture, session) == "JPY")
    let error = try await failure { () throws(RPCError) in
      try await fixture.payments.createPurchase(
        CreatePurchaseRequest(
          idempotencyKey: "key", productIdentifier: "coins", storefrontID: "DE-1",
          price: OnsideProto.Money(minorUnits: 499, currencyCode: "EUR", exponent: 2),
          paymentMethod: .applePayToken("sandbox-paid")), options: session)
    }
    #expect(error.refusalReason == .storefrontChanged)
    #expect(error.info?.values["storefront_id"] == "JP")
    // A known user's next login is answered from memory, and right.
    #expect(try await fixture.logIn().storefrontCountry == "JP")
    #expect(try await set(fixture, .profileID(login.profileID), "DE")?.id == "DE-1")
    #expect(try await price(fixture, session) == "EUR")
    #expect(try await price(fixture, try await fixture.session()) == "EUR")
  }

  @Test("A profile is named by app and identifier, or by phone number, too")
  func names() async throws {
    let fixture = try await MarketplaceFixture()
    let external = try await fixture.session()
    let regular = CallOptions.session(
      try await fixture.logIn(phone: MarketplaceFixture.phoneNumber).sessionToken)
    _ = try await set(
      fixture,
      .external(
        ExternalName(
          appID: TestCatalogue.shop, externalUserID: MarketplaceFixture.externalUser)), "JP")
    #expect(try await storefront(fixture, external) == "JP")
    #expect(try await storefront(fixture, regular) == "DE-1")
    let moved = try await set(fixture, .phoneNumber(MarketplaceFixture.phoneNumber), "FR")
    #expect(moved?.id == "FR")
    #expect(try await storefront(fixture, regular) == "FR")
    #expect(try await price(fixture, regular) == nil)
  }

  @Test("Nobody and nowhere are refused")
  func refusals() async throws {
    let fixture = try await MarketplaceFixture()
    let login = try await fixture.logIn()
    let names: [ProfileName.Name?] = [
      nil, .profileID("x"), .profileID(ProfileID.random().description), .phoneNumber("x"),
      .phoneNumber("+4915100000000"),
      .external(ExternalName(appID: TestCatalogue.shop, externalUserID: "nobody")),
    ]
    for name in names {
      await #expect { _ = try await set(fixture, name, "JP") } throws: { error in
        (error as? RPCError)?.refusalReason == .sandboxNotFound
      }
    }
    for country in ["", "jp", "XX"] {
      await #expect {
        _ = try await set(fixture, .profileID(login.profileID), country)
      } throws: { error in (error as? RPCError)?.refusalReason == .countryInvalid }
    }
  }

  @Test("After a restart open sessions see it still, until none of before is left")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let clock = TestClock()
    let first = try SQLiteStore(path: "\(folder.path)/store")
    let before = try await MarketplaceFixture(store: first, clock: clock)
    let login = try await before.logIn()
    clock.advance(by: .seconds(10))
    _ = try await set(before, .profileID(login.profileID), "JP")
    await first.close()

    let second = try SQLiteStore(path: "\(folder.path)/store")
    let after = try await MarketplaceFixture(store: second, clock: clock)
    let session = CallOptions.session(login.sessionToken)
    #expect(try await price(after, session) == "JPY")
    #expect(try await storefront(after, session) == "JP")
    clock.advance(by: .seconds(86_380))
    await after.marketplace.maintainSessions()
    #expect(try await price(after, session) == "JPY")
    clock.advance(by: .seconds(86_400))
    await after.marketplace.maintainSessions()
    #expect(try await price(after, try await after.session()) == "JPY")
    await second.close()
  }
}
