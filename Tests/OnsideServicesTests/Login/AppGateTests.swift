import OnsideDomain
import OnsideProto
import RPC
import Testing

@testable import OnsideServices

@Suite("Apps with a key or a certificate")
struct AppGateTests {
  private static let app = "com.example.keyed"

  private func fixture(
    keys: [AppKey] = [], certificate: CertificateRequirement? = nil,
    peer: PeerInfo = PeerInfo(address: "192.0.2.1:40000"), clock: TestClock = TestClock()
  ) async throws -> MarketplaceFixture {
    try await MarketplaceFixture(clock: clock, peer: peer) { configuration in
      configuration.apps = AppRegistry([
        RegisteredApp(
          id: Self.app, name: "Keyed",
          keyHashes: keys.map { AppKey.hash(Array($0.text.utf8)) }, certificate: certificate)
      ])
    }
  }

  private func logIn(
    _ fixture: MarketplaceFixture, _ user: String = "user-1", key: String?
  ) async throws(RPCError) -> CreateSessionResponse {
    try await fixture.logIn(
      user, app: Self.app, options: key.map { .appKey($0) } ?? CallOptions())
  }

  @Test("The app's key lets its users in, the first time and later; each of two keys does")
  func rightKey() async throws {
    let keys = [try AppKey.random(), try AppKey.random()]
    let fixture = try await fixture(keys: keys)
    #expect(try await logIn(fixture, key: keys[0].text).created)
    #expect(try await !logIn(fixture, key: keys[0].text).created)
    #expect(try await !logIn(fixture, key: keys[1].text).created)
  }

  @Test("Without the key, and with a wrong one, known and unknown users are refused alike")
  func wrongKey() async throws {
    let key = try AppKey.random()
    let fixture = try await fixture(keys: [key])
    _ = try await logIn(fixture, "known", key: key.text)
    var texts: Set<String> = []
    for user in ["known", "unknown"] {
      let missing = try await failure { () throws(RPCError) in
        try await logIn(fixture, user, key: nil)
      }
      #expect(missing.code == .unauthenticated)
      #expect(missing.refusalReason == .appKeyRequired)
      let wrong = try await failure { () throws(RPCError) in
        try await logIn(fixture, user, key: "oak_wrong-and-secret")
      }
      #expect(wrong.code == .permissionDenied)
      #expect(wrong.refusalReason == .appKeyInvalid)
      texts.formUnion([missing.message, wrong.message])
    }
    #expect(texts.count == 2)
    #expect(!texts.joined().contains("oak_wrong"))
    #expect(!fixture.log.lines.contains("oak_"))
  }

  @Test("Products before login need the app's key as well")
  func products() async throws {
    let key = try AppKey.random()
    let fixture = try await fixture(keys: [key])
    let request = ListProductsRequest(productIdentifiers: ["coins"], appID: Self.app)
    let error = try await failure { () throws(RPCError) in
      try await fixture.products.listProducts(request)
    }
    #expect(error.refusalReason == .appKeyRequired)
    let answer = try await fixture.products.listProducts(request, options: .appKey(key.text))
    #expect(answer.invalidIdentifiers == ["coins"])
    // A session proves the app already.
    let session = CallOptions.session(try await logIn(fixture, key: key.text).sessionToken)
    #expect(
      try await fixture.products.listProducts(request, options: session).invalidIdentifiers
        == ["coins"])
  }

  @Test(
    "After some wrong keys an address has to wait, longer each time; the right key waits as well")
  func backsOff() async throws {
    let key = try AppKey.random()
    let clock = TestClock()
    let fixture = try await fixture(keys: [key], clock: clock)
    var waits: [String?] = []
    for _ in 0..<8 {
      let error = try await failure { () throws(RPCError) in try await logIn(fixture, key: "no") }
      waits.append(error.info?.values["retry_after_ms"])
    }
    #expect(waits == [nil, nil, nil, nil, nil, nil, "1000", "1000"])
    let right = try await failure { () throws(RPCError) in
      try await logIn(fixture, key: key.text)
    }
    #expect(right.refusalReason == .appKeyInvalid)
    clock.advance(by: .seconds(1))
    #expect(try await logIn(fixture, key: key.text).created)
  }

  @Test("An app with a certificate takes it by fingerprint or subject, and no other")
  func certificates() async throws {
    let fingerprint = [UInt8](repeating: 7, count: 32)
    let byFingerprint = CertificateRequirement(fingerprints: [fingerprint])
    let bySubject = CertificateRequirement(subjects: ["CN=game,O=Example"])
    let right = PeerInfo(
      address: "a:1",
      certificate: .init(
        subject: "CN=game,O=Example", alternativeNames: [], fingerprint: fingerprint))
    let wrong = PeerInfo(
      address: "a:1",
      certificate: .init(
        subject: "CN=game", alternativeNames: ["game"],
        fingerprint: [UInt8](repeating: 8, count: 32)))
    for requirement in [byFingerprint, bySubject] {
      let good = try await fixture(certificate: requirement, peer: right)
      #expect(try await logIn(good, key: nil).created)
      #expect(try await !logIn(good, key: nil).created)
      for peer in [wrong, PeerInfo(address: "a:1")] {
        let bad = try await fixture(certificate: requirement, peer: peer)
        let error = try await failure { () throws(RPCError) in try await logIn(bad, key: nil) }
        #expect(error.code == .unauthenticated)
        #expect(error.refusalReason == .appCertificateRequired)
      }
    }
  }

  @Test("An app's sessions end with its registration; other apps take its place at once")
  func replaced() async throws {
    let fixture = try await fixture()
    let session = CallOptions.session(try await logIn(fixture, key: nil).sessionToken)
    fixture.marketplace.replaceApps(
      with: AppRegistry([RegisteredApp(id: TestCatalogue.shop, name: "Shop")]))
    let error = try await failure { () throws(RPCError) in
      try await fixture.login.getProfile(GetProfileRequest(), options: session)
    }
    #expect(error.refusalReason == .sessionInvalid)
    #expect(try await fixture.logIn().created)
  }
}
