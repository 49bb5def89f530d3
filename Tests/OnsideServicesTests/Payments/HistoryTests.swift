import Foundation
import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import TestSupport
import Testing

@Suite("Signed histories")
struct HistoryTests {
  /// A JWS whose signature `openssl` has verified with the key of the key set that it names.
  private struct Verified {
    let header: [String: Any]
    let payload: [String: Any]

    var transactions: [[String: Any]] { payload["transactions"] as? [[String: Any]] ?? [] }
  }

  private func history(
    _ fixture: MarketplaceFixture, _ session: CallOptions
  ) async throws(RPCError) -> String {
    try await fixture.payments.getSignedHistory(GetSignedHistoryRequest(), options: session).jws
  }

  private func keys(_ fixture: MarketplaceFixture) async throws -> [[String: String]] {
    // Without a session: it is open to anyone.
    let text = try await fixture.payments.getKeySet(GetKeySetRequest()).jwkSet
    let set = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(set?["keys"] as? [[String: String]])
  }

  private func buy(
    _ fixture: MarketplaceFixture, _ session: CallOptions, _ product: String = "coins",
    cents: Int64 = 499, key: String, account: String? = nil, token: String = "sandbox-paid"
  ) async throws(RPCError) -> OnsideProto.Transaction {
    var request = PurchaseFixture.request(product, key: key, token: token, cents: cents)
    request.appAccountToken = account
    let answer = try await fixture.payments.createPurchase(request, options: session)
    guard let transaction = answer.transaction else { throw RPCError(.internal, "no transaction") }
    return transaction
  }

  private func decoded(_ text: some StringProtocol) throws -> Data {
    let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    return try #require(Data(base64Encoded: base64 + padding))
  }

  private func object(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Lets the `openssl` command verify a JWS.
  private func verify(_ jws: String, _ keys: [[String: String]]) async throws -> Verified? {
    let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    let header = try object(try decoded(parts[0]))
    let key = try #require(keys.first { $0["kid"] == header["kid"] as? String })
    // SubjectPublicKeyInfo of a point on P-256 (RFC 5480).
    let prefix: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
      0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    let point = try decoded(try #require(key["x"])) + decoded(try #require(key["y"]))
    let signature = Array(try decoded(parts[2]))
    try #require(signature.count == 64)
    let folder = try TemporaryFolder()
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
      let path = "\(folder.path)/\(name)"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return path
    }
    let end = try await Program.run([
      "openssl", "dgst", "-sha256", "-keyform", "DER", "-verify",
      try file("key.der", Data(prefix) + point),
      "-signature", try file("signature.der", Self.sequence(of: signature)),
      try file("signed", Data("\(parts[0]).\(parts[1])".utf8)),
    ])
    return end.status == 0
      ? Verified(header: header, payload: try object(try decoded(parts[1]))) : nil
  }

  /// r and s as the DER sequence that `openssl` takes.
  private static func sequence(of signature: [UInt8]) -> [UInt8] {
    let parts = [signature[..<32], signature[32...]].flatMap { half -> [UInt8] in
      var number = Array(half.drop { $0 == 0 })
      if (number.first ?? 0x80) >= 0x80 { number.insert(0, at: 0) }
      return [0x02, UInt8(number.count)] + number
    }
    return [0x30, UInt8(parts.count)] + parts
  }

  @Test("openssl verifies it with the key set; one character changed, and it doesn't")
  func verifies() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    _ = try await buy(fixture, session, key: "a")
    let keys = try await keys(fixture)
    #expect(keys.count == 1)
    #expect(keys[0]["kty"] == "EC" && keys[0]["crv"] == "P-256")
    #expect(keys[0]["alg"] == "ES256" && keys[0]["use"] == "sig")
    let jws = try await history(fixture, session)
    let verified = try #require(try await verify(jws, keys))
    #expect(verified.header["alg"] as? String == "ES256")
    #expect(verified.header["kid"] as? String == keys[0]["kid"])
    #expect(verified.transactions.count == 1)
    var forged = Array(jws.utf8)
    let place = forged.count / 2
    forged[place] = forged[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    let text = String(decoding: forged, as: UTF8.self)
    #expect(try await verify(text, keys) == nil)
  }

  @Test("It has the current user's purchases in this app, oldest first, with all fields")
  func contents() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let account = "ac\"count\\\u{7f}\n✓"
    let coins = try await buy(fixture, session, key: "a", account: account)
    _ = try await buy(fixture, session, key: "b", token: "sandbox-declined")
    _ = try await buy(fixture, session, key: "c", token: "sandbox-needs-approval")
    fixture.clock.advance(by: .seconds(1))
    let club = try await buy(fixture, session, "club", cents: 199, key: "d", account: "")
    fixture.clock.advance(by: .seconds(1))
    let noAds = try await buy(fixture, session, "no-ads", cents: 299, key: "e")
    _ = try await buy(fixture, try await fixture.session(), key: "f")
    let jws = try await history(fixture, session)
    let verified = try #require(try await verify(jws, try await keys(fixture)))
    let now = fixture.clock.now
    #expect(verified.payload["iss"] as? String == "onside")
    #expect(verified.payload["aud"] as? String == TestCatalogue.shop)
    #expect(verified.payload["iat"] as? Int64 == now.milliseconds / 1_000)
    #expect(verified.payload["fetched_at"] as? String == now.rfc3339)
    let found = verified.transactions
    #expect(
      found.map { $0["order_id"] as? String }
        == [coins.transactionID, club.transactionID, noAds.transactionID])
    #expect(
      found.map { $0["product_type"] as? String }
        == ["CONSUMABLE", "SUBSCRIPTION", "NON_CONSUMABLE"])
    // B33: an empty token isn't the same as none.
    #expect(found.map { $0["app_account_token"] as? String } == [account, "", nil])
    let bought = Timestamp(milliseconds: coins.createdAtMs).rfc3339
    let expected: NSDictionary = [
      "app_account_token": account, "bundle_id": TestCatalogue.shop, "currency": "EUR",
      "expires_at": NSNull(), "fetched_at": now.rfc3339, "order_id": coins.transactionID,
      "original_order_id": coins.transactionID, "original_purchase_date": bought, "price": 499,
      "product_id": "coins", "product_slug": "coins", "product_type": "CONSUMABLE",
      "purchase_date": bought, "quantity": 1, "revocation_date": NSNull(),
      "revocation_reason": NSNull(), "subscription_id": NSNull(),
      "transaction_reason": "PURCHASE", "user_country": "DE",
    ]
    #expect(found.first as NSDictionary? == expected)
    let expiry = Period(1, .month)?.end(from: Timestamp(milliseconds: club.createdAtMs)).rfc3339
    #expect(found[1]["expires_at"] as? String == expiry)
    #expect(found[1]["subscription_id"] as? String == "club")
  }

  @Test("A user without purchases has an empty history")
  func empty() async throws {
    let fixture = try await MarketplaceFixture()
    let jws = try await history(fixture, try await fixture.session())
    let verified = try #require(try await verify(jws, try await keys(fixture)))
    #expect(verified.transactions.isEmpty)
  }

  @Test("After a year another key signs; what the old one signed is verified as ever")
  func rotates() async throws {
    let store = MemoryStore()
    let clock = TestClock()
    let first = try await MarketplaceFixture(store: store, clock: clock)
    let session = try await first.session()
    let old = try await history(first, session)
    await first.marketplace.maintainSigningKeys()
    #expect(try await keys(first).count == 1)
    // Another server on the store, later: the same key.
    let second = try await MarketplaceFixture(store: store, clock: clock)
    #expect(try await keys(second) == keys(first))
    clock.advance(by: .seconds(365 * 86_400))
    await first.marketplace.maintainSessions()
    await first.marketplace.maintainSigningKeys()
    let both = try await keys(first)
    #expect(both.count == 2)
    let new = try await history(first, try await first.session())
    let (oldOne, newOne) = (try await verify(old, both), try await verify(new, both))
    #expect(oldOne?.header["kid"] as? String == both[1]["kid"])
    #expect(newOne?.header["kid"] as? String == both[0]["kid"])
    // The other server learns of it, and makes none of its own.
    await second.marketplace.maintainSigningKeys()
    #expect(try await keys(second) == both)
    let stored = try await store.signingKeys()
    #expect(stored.map(\.secret.isEmpty) == [true, false])
  }

  @Test("Nothing that is logged shows a private key")
  func secrecy() async throws {
    let fixture = try await MarketplaceFixture()
    let key = try #require(try await fixture.store.signingKeys().first)
    _ = try await history(fixture, try await fixture.session())
    #expect(key.secret.count > 32)
    #expect(!"\(key) \(String(reflecting: key))\(fixture.log.lines)".contains("\(key.secret[8]),"))
  }
}
