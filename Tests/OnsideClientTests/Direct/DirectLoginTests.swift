import OnsideClient
import OnsideProto
import ProtobufWire
import RPC
import Testing

/// Logins without a task.
@Suite struct DirectLoginTests {
  private let marketplace = FakeMarketplace()

  /// Tells how its calls ended.
  private final class Login: DirectLogin, @unchecked Sendable {
    enum End: Sendable {
      case opened(Answer)
      case refused(OnsideError)

      var answer: Answer? { if case .opened(let answer) = self { answer } else { nil } }
      var error: OnsideError? { if case .refused(let error) = self { error } else { nil } }
    }

    private let (ends, tell) = AsyncStream<End>.makeStream()

    override func opened(_ answer: Answer) { tell.yield(.opened(answer)) }

    override func refused(_ error: OnsideError) { tell.yield(.refused(error)) }

    /// How the next call ends.
    func end() async -> End? { await ends.first { _ in true } }
  }

  @Test func theClientIsSignedInWhenTheAnswerComes() async throws {
    let client = try marketplace.client()
    let login = Login(client)
    try login.start(externalUserID: "anna")
    let answer = try #require(await login.end()?.answer)
    #expect(answer.session.token == "token-1")
    #expect(answer.session.profileID == "profile-anna")
    #expect(answer.isNewProfile)
    #expect(answer.responseSize > 20)
    #expect(client.session == answer.session)
    #expect(marketplace.calls("GetProfile").isEmpty)
    _ = try await client.products(["coins"])
    #expect(marketplace.calls("ListProducts").map(\.token) == ["token-1"])
  }

  /// One object, users of the same length and of others.
  @Test func oneObjectLogsInOneUserAfterTheOther() async throws {
    let client = try marketplace.client(
      .init(appID: "com.example.shop", appKey: "key", countryHint: "FR"))
    let login = Login(client)
    for user in ["anna", "bert", "", "christine", "ärger", "dora"] {
      try login.start(externalUserID: user)
      #expect(try #require(await login.end()?.answer).session.profileID == "profile-\(user)")
      let bytes = [UInt8](unsafeUninitializedCapacity: login.requestSize()) { buffer, count in
        login.encodeRequest(into: UnsafeMutableRawBufferPointer(buffer))
        count = buffer.count
      }
      #expect(
        try CreateSessionRequest(serialized: bytes)
          == CreateSessionRequest(
            appID: "com.example.shop", credential: .externalUserID(user), countryHint: "FR"))
      #expect(client.abandonSession()?.profileID == "profile-\(user)")
      #expect(client.session == nil)
    }
    #expect(marketplace.calls("CreateSession").allSatisfy { $0.appKey == "key" })
    #expect(marketplace.calls("EndSession").isEmpty)
  }

  @Test func aUserWhoIsSignedInIsNotReplaced() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    let login = Login(client)
    let error = #expect(throws: OnsideError.self) { try login.start(externalUserID: "bert") }
    #expect(error?.code == .alreadySignedIn)
    #expect(client.session?.profileID == "profile-anna")
    #expect(marketplace.calls("CreateSession").count == 1)
  }

  @Test func aKeyThatCantBeSentIsAnErrorBeforeTheCall() throws {
    let client = try marketplace.client(.init(appID: "com.example.shop", appKey: "a\u{0}b"))
    let login = Login(client)
    let error = #expect(throws: OnsideError.self) { try login.start(externalUserID: "anna") }
    #expect(error?.code == .refused)
    #expect(client.session == nil)
  }

  @Test func aRefusalLeavesTheWayFreeForAnother() async throws {
    let client = try marketplace.client()
    marketplace.before("CreateSession") { call in
      if call == 1 { throw RPCError(.unavailable, "down") }
    }
    let login = Login(client)
    try login.start(externalUserID: "anna")
    #expect(await login.end()?.error?.code == .unavailable)
    try login.start(externalUserID: "anna")
    #expect(await login.end()?.answer?.session.token == "token-2")
  }

  @Test func callsWaitForItAsForAnyLogin() async throws {
    let client = try marketplace.client()
    let (arrived, answer) = marketplace.hold("CreateSession")
    let login = Login(client)
    try login.start(externalUserID: "anna")
    await arrived.wait()
    async let products = client.products(["coins"])
    answer.open()
    _ = try await products
    #expect(marketplace.calls("ListProducts").map(\.token) == ["token-1"])
  }

  @Test func aSessionThatNobodyWaitsForIsEnded() async throws {
    let client = try marketplace.client()
    let (arrived, answer) = marketplace.hold("CreateSession")
    let ended = Gate()
    marketplace.before("EndSession") { _ in ended.open() }
    let login = Login(client)
    try login.start(externalUserID: "anna")
    await arrived.wait()
    #expect(client.abandonSession() == nil)
    answer.open()
    #expect(await login.end()?.error?.code == .superseded)
    #expect(client.session == nil)
    await ended.wait()
    #expect(marketplace.calls("EndSession").map(\.token) == ["token-1"])
  }
}
