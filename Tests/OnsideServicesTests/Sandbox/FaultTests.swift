import OnsideDomain
import OnsideProto
import OnsideServices
import RPC
import Testing

@Suite("Calls fail as fault rules say", .timeLimit(.minutes(2)))
struct FaultTests {
  private func error(_ fixture: MarketplaceFixture, _ user: String = "user-1") async throws
    -> RPCError
  {
    try await failure { () throws(RPCError) in try await fixture.logIn(user) }
  }

  @Test("A status with its reason, so often, also where an immediate handler answers")
  func status() async throws {
    let fixture = try await SandboxFixture.make()
    _ = try await fixture.logIn()
    let rule = try await fixture.addFault(
      "LoginService/CreateSession", skip: 1, count: 2, .unavailable)
    #expect(rule.match?.method == "onside.v1.LoginService/CreateSession")
    #expect(try await !fixture.logIn().created)
    for _ in 0..<2 {
      let error = try await error(fixture)
      #expect(error.code == .unavailable)
      #expect(error.message == "as told")
      #expect(error.refusalReason == .storeFailed)
      #expect(error.info?.values["fault_id"] == rule.faultID)
    }
    #expect(try await !fixture.logIn().created)
    let listed = try await fixture.faults()
    #expect(listed.map(\.matched) == [4] && listed.map(\.fired) == [2])
  }

  @Test("A status without a reason has no details")
  func plainStatus() async throws {
    let fixture = try await SandboxFixture.make()
    try await fixture.addFault("", .status(FaultStatus(code: 5, message: "gone")))
    let error = try await error(fixture)
    #expect(error.code == .notFound && error.message == "gone" && error.details.isEmpty)
  }

  @Test("Only the calls of an app, a profile, an external user")
  func matching() async throws {
    let fixture = try await SandboxFixture.make()
    let first = try await fixture.logIn("user-1")
    _ = try await fixture.logIn("user-2")
    let login = "LoginService/CreateSession"
    let matches: [(inout FaultMatch) -> Void] = [
      { $0.externalUserID = "user-1" },
      { $0.profileID = first.profileID },
      {
        $0.appID = TestCatalogue.shop
        $0.externalUserID = "user-1"
      },
    ]
    for match in matches {
      try await fixture.addFault(login, .unavailable, match: match)
      #expect(try await error(fixture, "user-1").code == .unavailable)
      #expect(try await fixture.logIn("user-2").created == false)
      _ = try await fixture.sandbox.removeFaults(RemoveFaultsRequest())
    }
    try await fixture.addFault(login, .unavailable) { $0.appID = TestCatalogue.other }
    #expect(try await fixture.logIn("user-1").created == false)
    let other = try await failure { () throws(RPCError) in
      try await fixture.logIn("user-1", app: TestCatalogue.other)
    }
    #expect(other.code == .unavailable)
  }

  @Test("Calls with a session are matched by its profile, app and external user")
  func sessions() async throws {
    let fixture = try await SandboxFixture.make()
    let first = try await fixture.logIn("user-1")
    let one = CallOptions.session(first.sessionToken)
    let two = try await fixture.session("user-2")
    let method = "onside.v1.LoginService/GetProfile"
    let matches: [(inout FaultMatch) -> Void] = [
      { $0.externalUserID = "user-1" }, { $0.profileID = first.profileID },
    ]
    for match in matches {
      try await fixture.addFault(method, .unavailable, match: match)
      let error = try await failure { () throws(RPCError) in
        try await fixture.login.getProfile(GetProfileRequest(), options: one)
      }
      #expect(error.code == .unavailable)
      _ = try await fixture.login.getProfile(GetProfileRequest(), options: two)
      _ = try await fixture.sandbox.removeFaults(RemoveFaultsRequest())
    }
  }

  @Test("A dropped reply: the purchase is made, the caller doesn't know, and asks again")
  func droppedReply() async throws {
    let fixture = try await SandboxFixture.make()
    let session = try await fixture.session()
    try await fixture.addFault("PaymentsService/CreatePurchase", count: 1, .dropReply(true))
    let error = try await failure { () throws(RPCError) in
      try await fixture.payments.createPurchase(PurchaseFixture.request(), options: session)
    }
    #expect(error.code == .unavailable && error.refusalReason == nil)
    let listed = try await fixture.payments.listTransactions(
      ListTransactionsRequest(), options: session)
    #expect(listed.transactions.map(\.state) == [.purchased])
    let again = try await fixture.payments.createPurchase(
      PurchaseFixture.request(), options: session)
    #expect(again.replayed)
    #expect(again.transaction?.transactionID == listed.transactions.first?.transactionID)
  }

  @Test("A cut connection: the call isn't run")
  func cut() async throws {
    let fixture = try await SandboxFixture.make()
    let session = try await fixture.session()
    try await fixture.addFault("PaymentsService/CreatePurchase", count: 1, .cutConnection(true))
    let error = try await failure { () throws(RPCError) in
      try await fixture.payments.createPurchase(PurchaseFixture.request(), options: session)
    }
    #expect(error.code == .unavailable)
    let listed = try await fixture.payments.listTransactions(
      ListTransactionsRequest(), options: session)
    #expect(listed.transactions.isEmpty)
  }

  @Test("A delay: the call waits, longer than its caller or not, and then goes on")
  func delay() async throws {
    let fixture = try await SandboxFixture.make()
    try await fixture.addFault("LoginService/CreateSession", count: 1, delay: 600_000, nil)
    let error = try await failure { () throws(RPCError) in
      try await fixture.logIn(options: CallOptions(timeout: .milliseconds(20)))
    }
    #expect(error.code == .deadlineExceeded)
    try await fixture.addFault("LoginService/CreateSession", count: 1, delay: 1, nil)
    #expect(try await fixture.logIn().created)
    try await fixture.addFault("LoginService/CreateSession", count: 1, delay: 1, .unavailable)
    #expect(try await self.error(fixture).code == .unavailable)
    #expect(try await fixture.faults().map(\.fired) == [1, 1, 1])
  }

  @Test("A call with a stream of replies is refused, and matched by its session")
  func streams() async throws {
    let fixture = try await SandboxFixture.make()
    let session = try await fixture.session("user-1")
    try await fixture.addFault("PaymentsService/WatchTransactions", count: 1, .unavailable) {
      $0.externalUserID = "user-1"
    }
    let error = try await #require(throws: RPCError.self) {
      let watch = fixture.payments.watchTransactions(
        WatchTransactionsRequest(), options: session)
      for try await _ in watch {}
    }
    #expect(error.code == .unavailable && error.message == "as told")
    #expect(try await fixture.faults().map(\.fired) == [1])
  }

  @Test("The sandbox's own calls never match")
  func ownCalls() async throws {
    let fixture = try await SandboxFixture.make()
    try await fixture.addFault("", .cutConnection(true))
    #expect(try await error(fixture).code == .unavailable)
    #expect(try await fixture.faults().map(\.matched) == [1])
    #expect(fixture.log.lines.contains("fault=fault-1"))
    #expect(
      try await fixture.sandbox.removeFaults(RemoveFaultsRequest(faultID: "fault-1")).removed == 1)
    #expect(
      try await fixture.sandbox.removeFaults(RemoveFaultsRequest(faultID: "fault-1")).removed == 0)
    let unknown = try await failure { () throws(RPCError) in
      try await fixture.sandbox.removeFaults(RemoveFaultsRequest(faultID: "fault-9"))
    }
    #expect(unknown.refusalReason == .sandboxNotFound)
    #expect(try await fixture.logIn().created)
  }

  @Test(
    "A rule that can't be is refused, and says which field",
    arguments: [
      (FaultRule(), "effect"),
      (FaultRule(effect: .dropReply(false)), "effect"),
      (FaultRule(match: FaultMatch(method: "LoginService/Nothing"), delayMs: 1), "match.method"),
      (FaultRule(match: FaultMatch(method: "SandboxService/AddFault"), delayMs: 1), "match.method"),
      (FaultRule(match: FaultMatch(profileID: "x"), delayMs: 1), "match.profile_id"),
      (FaultRule(match: FaultMatch(appID: "a\u{7}"), delayMs: 1), "match.app_id"),
      (
        FaultRule(
          match: FaultMatch(externalUserID: String(repeating: "x", count: 256)), delayMs: 1),
        "match.external_user_id"
      ),
      (FaultRule(delayMs: 600_001), "delay_ms"),
      (FaultRule(effect: .status(FaultStatus(code: 0))), "status.code"),
      (FaultRule(effect: .status(FaultStatus(code: 17))), "status.code"),
      (
        FaultRule(
          effect: .status(
            FaultStatus(code: 1, message: String(repeating: "x", count: 1_025)))), "status.message"
      ),
      (FaultRule(effect: .status(FaultStatus(code: 1, reason: "no reason"))), "status.reason"),
    ])
  func invalid(rule: FaultRule, field: String) async throws {
    let fixture = try await SandboxFixture.make()
    let error = try await failure { () throws(RPCError) in
      try await fixture.sandbox.addFault(AddFaultRequest(rule: rule))
    }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .faultInvalid)
    #expect(error.info?.values["field"] == field)
    #expect(try await fixture.faults().isEmpty)
  }
}
