import OnsideProto
import ProtobufWire
import RPC
import RPCTransport
import Synchronization
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct ScenarioRunTests {
  private func run(
    _ scenario: LoadScenario, calls: Int, on server: ScriptedServer,
    _ change: (inout LoadPlan) -> Void = { _ in }
  ) async throws -> LoadReport {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = 3
    plan.duration = nil
    plan.warmup = .zero
    plan.callLimit = calls
    plan.users = 5
    plan.applePayToken = "sandbox-paid"
    change(&plan)
    let products = try ProductPool(ScriptedMarketplace.pool, source: "test")
    let run = try LoadRun(plan, products: products, source: server, loops: server.loops)
    return try await run.execute()
  }

  private func withMarketplace(
    _ body: (ScriptedMarketplace, ScriptedServer) async throws -> Void
  ) async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops, onCall: { marketplace.note($0) }) {
        method, request, _ in marketplace.reply(method, request)
      }
      try await body(marketplace, server)
    }
  }

  @Test func scenariosOfAMixHaveClientsAndOptionsOfTheirOwn() async throws {
    try await withMarketplace { marketplace, server in
      let texts = [
        "session-create clients=2 think-time=1440m", "session-return zipf=10 users=50",
        "purchase clients=1 identifiers=7 think-time=1440m",
      ]
      let report = try await run(.sessionCreate, calls: 200, on: server) { plan in
        plan.mix = texts.compactMap(MixPart.init(text:))
        plan.inFlight = 2
      }
      #expect(report.verdict == .passed, "\(report.checks)")
      #expect(report.scenarios.map(\.clients) == [2, nil, 1])
      // After one call each they think, and the others make all calls that are left. Nobody waits
      // for them then.
      #expect(report.scenarios.map(\.calls.sent) == [2, 197, 1])
      let lists = try server.requests.filter { $0.method.hasSuffix("ListProducts") }.map {
        try ListProductsRequest(serialized: $0.bytes).productIdentifiers.count
      }
      #expect(lists == [7])
      // The first user of all comes in 999 calls of 1,000.
      let logins = try server.requests.filter { $0.method.hasSuffix("CreateSession") }.map {
        try CreateSessionRequest(serialized: $0.bytes).externalUserID ?? ""
      }
      let counts = Dictionary(logins.map { ($0, 1) }, uniquingKeysWith: +).values
      #expect((counts.max() ?? 0) > report.scenarios[1].calls.sent * 9 / 10)
    }
  }

  @Test func productsAreListedBySignedInConnections() async throws {
    try await withMarketplace { _, server in
      let report = try await run(.productFilter, calls: 50, on: server) {
        $0.identifiersPerCall = 40
      }
      #expect(report.verdict == .passed)
      #expect(server.count("onside.v1.LoginService/CreateSession") == 3)
      #expect(server.count("onside.v1.ProductsService/ListProducts") == 50)
      #expect(
        report.checks == [
          CheckResult(
            name: "products_partitioned", title: "identifiers split rightly", checked: 50)
        ])
      let listed = server.requests.filter { $0.method.hasSuffix("ListProducts") }
      #expect(report.calls.requestBytes == UInt64(listed.reduce(0) { $0 + $1.bytes.count }))
      #expect(report.calls.responseBytes > 0)
      for (method, bytes) in server.requests where method.hasSuffix("ListProducts") {
        let request = try ListProductsRequest(serialized: bytes)
        #expect(request.productIdentifiers.count == 40)
        #expect(request.productIdentifiers.count { $0.contains(".gone.") } == 2)
        #expect(Set(request.productIdentifiers).count == 40)
      }
    }
  }

  @Test func wrongPartitionIsAFailedCallAndAViolation() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, number in
        let reply = marketplace.reply(method, request)
        guard number == 20, case .message(let bytes) = reply,
          var response = try? ListProductsResponse(serialized: bytes)
        else { return reply }
        response.products.removeLast()
        return .message(response.serialized())
      }
      let report = try await run(.productFilter, calls: 30, on: server)
      #expect(report.calls.ok == 29)
      #expect(report.calls.failed == 1)
      #expect(report.verdict == .checksViolated)
      #expect(report.checks.first?.sample == "1 of the identifiers are in no list")
    }
  }

  /// A client whose session is gone sends nothing more: its calls fail on this side, at once, so
  /// that it has to pause between them.
  @Test func callsOfLostSessionsFailOnThisSide() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let info = ErrorInfo(reason: "SESSION_EXPIRED", domain: "onside.v1")
      var refusal = RPCError(.unauthenticated, "expired", info: info)
      refusal.phase = .answered
      let expired = refusal
      let server = ScriptedServer(loops: loops, onCall: { marketplace.note($0) }) {
        method, request, _ in
        method.hasSuffix("ListProducts") ? .refused(expired) : marketplace.reply(method, request)
      }
      let report = try await run(.productFilter, calls: 12, on: server)
      #expect(server.count("onside.v1.ProductsService/ListProducts") == 3)
      #expect(report.calls.failed == 12)
      let failures = report.calls.failures.entries
      #expect(failures.first { $0.kind.phase == .answer }?.count == 3)
      #expect(failures.first { $0.kind.phase == .call }?.count == 9)
      #expect(
        failures.first { $0.kind.phase == .call }?.kind.status == "FAILED_PRECONDITION")
    }
  }

  @Test func purchasesAreMadeOnceAndFinished() async throws {
    try await withMarketplace { marketplace, server in
      let report = try await run(.purchase, calls: 25, on: server) { $0.repeatShare = 1 }
      #expect(report.verdict == .passed)
      #expect(report.calls.ok == 25)
      #expect(report.steps.map(\.name) == ["log in", "list products", "buy", "finish"])
      #expect(report.steps.map(\.latency.count) == [25, 25, 25, 25])
      let transactions = marketplace.state.withLock { $0.transactions.values.map { $0 } }
      #expect(transactions.count == 25)
      #expect(transactions.allSatisfy { $0.finished })
      #expect(
        report.checks.map(\.name) == [
          "purchases_repeatable", "transactions_unique", "purchases_listed_once",
        ])
      #expect(report.checks.map(\.checked) == [25, 25, 5])
    }
  }

  /// Of ten random products of a small catalogue, none may be for an external profile.
  @Test func everyListOfAPurchaseHasSomethingThatCanBeBought() async throws {
    let others = (0..<50).map { ProductPool.Item("other-\($0)", .other) }
    let pool = try ProductPool(others + [.init("coins", .consumable)], source: "test")
    #expect(pool.buyable.map { pool.items[$0].identifier } == ["coins"])
    #expect(try ProductPool(others, source: "test").buyable.count == others.count)
  }

  @Test func purchaseOfNothingThatIsSoldSaysSo() async throws {
    try await withMarketplace { _, server in
      var plan = LoadPlan(scenario: .purchase)
      plan.connections = 1
      plan.duration = nil
      plan.warmup = .zero
      plan.callLimit = 1
      plan.identifiersPerCall = 1
      let products = try ProductPool([.init("gone")], source: "test")
      let run = try LoadRun(plan, products: products, source: server, loops: server.loops)
      let report = try await run.execute()
      #expect(report.calls.failed == 1)
      #expect(
        report.calls.failures.entries.first?.samples == ["none of these can be bought: gone"])
    }
  }

  @Test(arguments: [
    (LoadPlan.Resumption.on, 0, 20), (.off, 20, 0), (.both, 10, 10),
  ])
  func handshakesAreFullOrResumed(
    _ resumption: LoadPlan.Resumption, _ full: Int, _ resumed: Int
  ) async throws {
    try await withMarketplace { _, server in
      let report = try await run(.handshake, calls: 20, on: server) {
        $0.resumption = resumption
        $0.connections = 1
      }
      #expect(report.verdict == .passed)
      let counts = [full, resumed].filter { $0 > 0 }.map { UInt64($0) }
      #expect(report.steps.map(\.latency.count) == counts)
      // One more made the users known.
      #expect(report.connections.opened == 21)
      #expect(report.connections.lost == 0)
      #expect(server.count("onside.v1.LoginService/CreateSession") == 25)
    }
  }

  @Test func idleConnectionsAreUsedOnceEach() async throws {
    try await withMarketplace { _, server in
      let report = try await run(.idle, calls: 1, on: server) {
        $0.callLimit = nil
        $0.duration = .milliseconds(1)
        $0.warmup = .seconds(1)
        $0.inFlight = 9
      }
      #expect(report.verdict == .passed)
      #expect(report.calls.sent == 3)
      #expect(report.connections.opened == 3)
    }
  }

  @Test func logInThatIsRefusedIsASetUpError() async throws {
    try await withLoops { loops in
      let server = ScriptedServer(loops: loops) { _, _, _ in
        .refused(RPCError(.notFound, "no such app", phase: .answered))
      }
      for scenario in [LoadScenario.productFilter, .sessionReturn, .purchase, .handshake] {
        let failure = await #expect(throws: SetupError.self) {
          try await self.run(scenario, calls: 1, on: server)
        }
        #expect(failure?.code == .refused)
        #expect(failure?.description.contains("NOT_FOUND: no such app") == true)
      }
    }
  }

  @Test func scenariosThatNeedProductsSaySo() async throws {
    try await withLoops { loops in
      let server = ScriptedServer(loops: loops) { _, _, _ in .never }
      for scenario in LoadScenario.allCases where scenario.needsProducts {
        #expect(throws: SetupError.self) {
          try LoadRun(
            LoadPlan(scenario: scenario), products: nil, source: server, loops: server.loops)
        }
      }
    }
  }
}
