import OnsideClient
import OnsideProto
import ProtobufWire
import RPC
import Testing

/// Lists of products without a task.
@Suite struct DirectProductQueryTests {
  private let marketplace = FakeMarketplace()

  /// Tells how its calls ended.
  private final class Query: DirectProductQuery, @unchecked Sendable {
    enum End: Sendable {
      case answered([UInt8])
      case refused(OnsideError)

      var list: ListProductsResponse? {
        guard case .answered(let bytes) = self else { return nil }
        return try? ListProductsResponse(serialized: bytes)
      }
      var error: OnsideError? { if case .refused(let error) = self { error } else { nil } }
    }

    private let (ends, tell) = AsyncStream<End>.makeStream()

    override func answered(_ response: UnsafeRawBufferPointer) {
      tell.yield(.answered(Array(response)))
    }

    override func refused(_ error: OnsideError) { tell.yield(.refused(error)) }

    /// How the next call ends.
    func end() async -> End? { await ends.first { _ in true } }
  }

  private let coins = DirectProductQuery.Request(["coins", "gems"])

  @Test func aListIsAskedForAgainAndAgainAsTheUser() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    let query = Query(client)
    for request in [coins, .init(["swords"]), coins] {
      try query.start(request)
      let list = try #require(await query.end()?.list)
      let asked = try ListProductsRequest(serialized: request.encoded)
      #expect(list.products.map(\.productIdentifier) == asked.productIdentifiers)
    }
    #expect(marketplace.calls("ListProducts").map(\.token) == Array(repeating: "token-1", count: 3))
  }

  @Test func theNextUsersSessionIsTakenUp() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    let query = Query(client)
    try query.start(coins)
    #expect(await query.end()?.list != nil)
    try await client.logOut()
    try await client.logIn(externalUserID: "bert")
    try query.start(coins)
    #expect(await query.end()?.list != nil)
    #expect(marketplace.calls("ListProducts").map(\.token) == ["token-1", "token-2"])
  }

  @Test func whatIsAddedToTheOptionsStays() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    let query = Query(client)
    try query.prepare()
    try query.options.metadata.add("onside-app-key", "marked")
    for _ in 0..<2 {
      try query.start(coins)
      #expect(await query.end()?.list != nil)
    }
    #expect(marketplace.calls("ListProducts").map(\.appKey) == ["marked", "marked"])
  }

  @Test func withoutASessionNothingIsSent() throws {
    let query = Query(try marketplace.client())
    let error = #expect(throws: OnsideError.self) { try query.start(coins) }
    #expect(error?.code == .notSignedIn)
    #expect(marketplace.calls("ListProducts").isEmpty)
  }

  /// Cases B1 and B5: what was asked for one user never reaches another.
  @Test(arguments: [false, true])
  func anAnswerThatComesAfterTheUserChangedIsDropped(fails: Bool) async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    let arrived = Gate()
    let answer = Gate()
    marketplace.before("ListProducts") { _ in
      arrived.open()
      await answer.wait()
      if fails { throw RPCError(.unavailable, "down") }
    }
    let query = Query(client)
    try query.start(coins)
    await arrived.wait()
    client.abandonSession()
    try await client.logIn(externalUserID: "bert")
    answer.open()
    #expect(await query.end()?.error?.code == .superseded)
    #expect(client.session?.profileID == "profile-bert")
  }

  @Test func aSessionThatTheServiceRefusesIsForgotten() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    marketplace.before("ListProducts") { _ in
      throw RPCError(
        .unauthenticated, "no", info: ErrorInfo(reason: "SESSION_EXPIRED", domain: "onside.v1"))
    }
    let query = Query(client)
    try query.start(coins)
    #expect(await query.end()?.error?.code == .sessionLost)
    #expect(client.session == nil)
  }
}
