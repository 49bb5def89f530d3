import OnsideProto
import ProtobufWire
import RPC
import RPCTransport
import Synchronization
import Testing

@testable import LoadGenerator
import LoadReporting

/// Scenarios against a server that does something wrong: the check with the right name finds it.
@Suite struct ScenarioChecksTests {
  private func run(
    _ scenario: LoadScenario, calls: Int, _ change: (inout LoadPlan) -> Void = { _ in },
    script: @escaping @Sendable (ScriptedMarketplace, String, [UInt8], Int) -> ScriptedServer.Reply
  ) async throws -> (LoadReport, ScriptedServer) {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops, onCall: { marketplace.note($0) }) {
        script(marketplace, $0, $1, $2)
      }
      var plan = LoadPlan(scenario: scenario)
      plan.connections = 2
      plan.duration = nil
      plan.warmup = .zero
      plan.callLimit = calls
      plan.users = 4
      plan.seed = 11
      plan.applePayToken = "sandbox-paid"
      change(&plan)
      let products = try ProductPool(ScriptedMarketplace.pool, source: "test")
      let run = try LoadRun(plan, products: products, source: server, loops: server.loops)
      return (try await run.execute(), server)
    }
  }

  private func violated(_ report: LoadReport) -> [String] {
    report.checks.filter { $0.violations > 0 }.map(\.name)
  }

  @Test func aSessionThatIsGoneAfterwardsIsNamed() async throws {
    let (report, _) = try await run(.sessionCreate, calls: 10) { marketplace, method, request, _ in
      method.hasSuffix("GetProfile")
        ? .refused(RPCError(.unauthenticated, "no such session", phase: .answered))
        : marketplace.reply(method, request)
    }
    #expect(violated(report) == ["sessions_visible"])
    #expect(report.verdict == .checksViolated)
    #expect(report.calls.ok == 10)
  }

  @Test func aSessionWithAnotherUsersProfileIsNamed() async throws {
    let (report, _) = try await run(.sessionReturn, calls: 10) { marketplace, method, request, _ in
      guard method.hasSuffix("GetProfile"),
        case .message(let bytes) = marketplace.reply(method, request),
        var response = try? GetProfileResponse(serialized: bytes)
      else { return marketplace.reply(method, request) }
      response.profile?.externalUserID = "somebody else"
      return .message(response.serialized())
    }
    #expect(violated(report) == ["sessions_visible"])
  }

  @Test func aPurchaseThatIsMadeTwiceIsNamed() async throws {
    let calls = Atomic(0)
    let (report, _) = try await run(
      .purchase, calls: 8, { $0.repeatShare = 1 }
    ) { marketplace, method, request, _ in
      guard method.hasSuffix("CreatePurchase"),
        var purchase = try? CreatePurchaseRequest(serialized: request)
      else { return marketplace.reply(method, request) }
      // As a service that forgets keys.
      let number = calls.wrappingAdd(1, ordering: .relaxed).newValue
      purchase.idempotencyKey += "-\(number)"
      return marketplace.reply(method, purchase.serialized())
    }
    #expect(violated(report).contains("purchases_repeatable"))
    #expect(violated(report).contains("purchases_listed_once"))
  }

  @Test func aPurchaseThatIsNotListedAfterwardsIsNamed() async throws {
    let (report, _) = try await run(.purchase, calls: 8) { marketplace, method, request, _ in
      method.hasSuffix("ListTransactions")
        ? .message(ListTransactionsResponse().serialized())
        : marketplace.reply(method, request)
    }
    #expect(violated(report) == ["purchases_listed_once"])
    let sample = try #require(report.checks.first { $0.violations > 0 }?.sample)
    #expect(sample.contains("was acknowledged and isn't listed"))
  }

  @Test func aPurchaseWithoutAnAnswerIsNoViolation() async throws {
    let (report, _) = try await run(.purchase, calls: 8) { marketplace, method, request, number in
      let reply = marketplace.reply(method, request)
      guard method.hasSuffix("CreatePurchase"), number % 3 == 0 else { return reply }
      return .refused(RPCError(.unavailable, "the connection was lost", phase: .sent))
    }
    #expect(violated(report).isEmpty)
    #expect(report.verdict == .failed)
  }

  @Test("LG-08 keys and names are unique for each call, stable inside it, and follow from the seed")
  func keys() async throws {
    var runs: [[String]] = []
    for _ in 0..<2 {
      let (report, server) = try await run(
        .purchase, calls: 30, { $0.repeatShare = 1 }
      ) { marketplace, method, request, _ in marketplace.reply(method, request) }
      #expect(report.verdict == .passed)
      let keys = try server.requests.filter { $0.method.hasSuffix("CreatePurchase") }.map {
        try CreatePurchaseRequest(serialized: $0.bytes).idempotencyKey
      }
      // Each purchase was made, and made again with the same key.
      #expect(keys.count == 60)
      #expect(Set(keys).count == 30)
      runs.append(keys.sorted())
      let (_, newUsers) = try await run(.sessionCreate, calls: 50) {
        marketplace, method, request, _ in marketplace.reply(method, request)
      }
      let names = try newUsers.requests.filter { $0.method.hasSuffix("CreateSession") }.map {
        try CreateSessionRequest(serialized: $0.bytes).externalUserID ?? ""
      }
      #expect(Set(names).count == 50)
      runs.append(names.sorted())
    }
    #expect(runs[0] == runs[2])
    #expect(runs[1] == runs[3])
  }

  @Test func aJourneyEndsWithLoggingOut() async throws {
    let (report, server) = try await run(
      .journey, calls: 6, { $0.stepPause = 1_000_000...2_000_000 }
    ) { marketplace, method, request, _ in marketplace.reply(method, request) }
    #expect(report.verdict == .passed)
    #expect(report.steps.map(\.name) == ["log in", "list products", "buy", "finish", "log out"])
    #expect(report.steps.map(\.latency.count) == [6, 6, 6, 6, 6])
    #expect(server.count("onside.v1.LoginService/EndSession") == 6)
    // Four pauses of a millisecond at least belong to the journey, and to none of its steps.
    #expect(report.calls.latency.min >= 4_000_000)
  }

  @Test func aStormIsOneCall() async throws {
    let (report, server) = try await run(
      .storm, calls: 3,
      {
        $0.burst = 7
        $0.resumption = .both
      }
    ) { marketplace, method, request, _ in marketplace.reply(method, request) }
    #expect(report.verdict == .passed)
    #expect(report.calls.ok == 3)
    #expect(report.steps.map(\.name).last == "connection with session")
    #expect(report.steps.last?.latency.count == 21)
    // One more made the four users known.
    #expect(report.connections.opened == 22)
    #expect(server.count("onside.v1.LoginService/CreateSession") == 25)
    #expect(report.connections.lost == 0)
  }

  @Test func aStormWithOneFailureFailsAndSaysOfHowMany() async throws {
    let (report, _) = try await run(
      .storm, calls: 1, { $0.burst = 5 }
    ) { marketplace, method, request, number in
      number > 7
        ? .refused(RPCError(.resourceExhausted, "too many", phase: .answered))
        : marketplace.reply(method, request)
    }
    #expect(report.calls.failed == 1)
    #expect(
      report.calls.failures.entries.first?.samples == ["2 of 5 connections: too many"])
  }
}
