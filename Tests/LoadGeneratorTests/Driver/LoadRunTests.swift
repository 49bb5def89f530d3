import RPC
import RPCTransport
import Synchronization
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct LoadRunTests {
  private static let login = "onside.v1.LoginService/CreateSession"

  private func plan(_ scenario: LoadScenario, calls: Int?) -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = 4
    plan.inFlight = 3
    plan.duration = nil
    plan.warmup = .zero
    plan.callLimit = calls
    plan.users = 10
    plan.applePayToken = "sandbox-paid"
    plan.seed = 7
    plan.verifies = false
    return plan
  }

  private func run(
    _ plan: LoadPlan, on server: ScriptedServer, control: RunControl = RunControl()
  ) async throws -> LoadReport {
    let products = try ProductPool(ScriptedMarketplace.pool, source: "test")
    let run = try LoadRun(
      plan, products: products, source: server, loops: server.loops, control: control)
    return try await run.execute()
  }

  @Test(
    "LG-04 exactly so many calls are made, also fewer than there are clients",
    arguments: [1, 2, 11, 12, 13, 500], [1, 2])
  func exactlySoManyCallsAreMade(_ calls: Int, _ loops: Int) async throws {
    try await withLoops(loops) { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, _ in
        marketplace.reply(method, request)
      }
      let report = try await run(plan(.sessionCreate, calls: calls), on: server)
      #expect(report.calls.sent == calls)
      #expect(report.calls.ok == calls)
      #expect(report.calls.latency.count == UInt64(calls))
      #expect(server.count(LoadRunTests.login) == calls)
      #expect(marketplace.state.withLock { $0.users.count } == calls, "each user is a new one")
      #expect(report.verdict == .passed)
      #expect(report.ending == .calls)
      #expect(report.checks.map(\.checked) == [calls])
      #expect(report.connections.opened == 4)
      #expect(report.connections.lost == 0)
      #expect(server.record.withLock { $0.closed } == 4)
    }
  }

  @Test("LG-03 an error's time is no latency") func errorsAreNeverThroughputNorLatency()
    async throws
  {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, number in
        number % 4 == 0
          ? .refused(RPCError(.resourceExhausted, "no \(number)", phase: .answered))
          : marketplace.reply(method, request)
      }
      let report = try await run(plan(.sessionCreate, calls: 100), on: server)
      #expect(report.calls.ok == 75)
      #expect(report.calls.failed == 25)
      #expect(report.calls.latency.count == 75)
      #expect(report.verdict == .failed)
      let failure = try #require(report.calls.failures.entries.first)
      #expect(failure.kind == .init(phase: .answer, status: "RESOURCE_EXHAUSTED"))
      #expect(failure.count == 25)
      #expect(failure.samples == ["no 4", "no 8", "no 12"])
    }
  }

  @Test("LG-02 a server that refuses gives a rate of 0 and no latency")
  func serverThatRefusesEverythingGivesNoFigures() async throws {
    try await withLoops { loops in
      let server = ScriptedServer(loops: loops) { _, _, _ in
        .refused(RPCError(.unavailable, "closed", phase: .answered))
      }
      let report = try await run(plan(.sessionCreate, calls: 30), on: server)
      #expect(report.calls.ok == 0)
      #expect(report.calls.failed == 30)
      #expect(report.okPerSecond == 0)
      #expect(report.calls.latency.percentile(0.5) == nil)
      #expect(report.verdict == .failed)
    }
  }

  @Test func serverThatCanNotBeReachedIsASetUpError() async throws {
    try await withLoops { loops in
      for (phase, code) in [
        (RPCError.Phase.connecting, SetupError.Code.address), (.resolving, .address),
        (.handshake, .certificate),
      ] {
        let error = RPCError(.unavailable, "why", phase: phase, wasStarted: false)
        let server = ScriptedServer(loops: loops, connectError: error) { _, _, _ in .never }
        let failure = await #expect(throws: SetupError.self) {
          try await self.run(self.plan(.sessionCreate, calls: 1), on: server)
        }
        #expect(failure?.code == code)
        #expect(failure?.description == "why")
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test func stoppedRunGivesAPartialReportThatLosesNothing() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let control = RunControl()
      let server = ScriptedServer(
        loops: loops, onRequest: { if $0 == 200 { control.stop() } },
        script: { method, request, _ in marketplace.reply(method, request) })
      let report = try await run(plan(.sessionCreate, calls: nil), on: server, control: control)
      let calls = report.calls
      #expect(report.verdict == .interrupted)
      #expect(report.ending == .interrupted)
      #expect(calls.ok >= 188, "all that were answered before")
      #expect(calls.sent == calls.ok + calls.okOutside + calls.failed)
      #expect(calls.sent == server.requests.count)
      #expect(calls.unanswered == 0)
    }
  }

  @Test func callsWithoutAnAnswerAreCountedWhenTheRunIsStopped() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let control = RunControl()
      let server = ScriptedServer(
        loops: loops, onRequest: { if $0 == 50 { control.stop() } },
        script: { method, request, number in
          number > 40 ? .never : marketplace.reply(method, request)
        })
      // The slots that are left go on until all of them wait.
      var plan = plan(.sessionCreate, calls: nil)
      plan.connections = 10
      plan.inFlight = 2
      let report = try await run(plan, on: server, control: control)
      #expect(report.calls.ok == 40)
      #expect(report.calls.unanswered == report.calls.sent - 40)
      #expect(report.calls.unanswered >= 10)
    }
  }

  @Test func returningUsersAreKnownBeforeTheLoad() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, _ in
        marketplace.reply(method, request)
      }
      let report = try await run(plan(.sessionReturn, calls: 40), on: server)
      #expect(report.verdict == .passed)
      #expect(report.calls.sent == 40)
      #expect(server.requests.count == 50, "10 to make the users known")
      #expect(marketplace.state.withLock { $0.users.count } == 10)
    }
  }

  @Test func repeatedTokensFailTheRunByName() async throws {
    try await withLoops(2) { loops in
      let marketplace = ScriptedMarketplace()
      let first = Mutex<ScriptedServer.Reply?>(nil)
      let server = ScriptedServer(loops: loops) { method, request, number in
        let reply = marketplace.reply(method, request)
        if number == 1 { first.withLock { $0 = reply } }
        return number == 60 ? first.withLock { $0 } ?? reply : reply
      }
      let report = try await run(plan(.sessionCreate, calls: 100), on: server)
      #expect(report.calls.ok == 100)
      #expect(report.verdict == .checksViolated)
      #expect(report.checks.first?.name == "session_tokens_unique")
      #expect(report.checks.first?.violations == 1)
    }
  }

  @Test func profileThatIsNotNewIsAWrongAnswer() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      marketplace.state.withLock { state in
        state.users = Set((0..<100).map { UserNames(seed: 7).text(UInt64($0)) })
      }
      let server = ScriptedServer(loops: loops) { method, request, _ in
        marketplace.reply(method, request)
      }
      let report = try await run(plan(.sessionCreate, calls: 3), on: server)
      #expect(report.calls.ok == 0)
      #expect(report.calls.failures.entries.map(\.kind.phase) == [.check])
    }
  }

  @Test func sameSeedMakesTheSameCalls() async throws {
    var plan = plan(.productFilter, calls: 40)
    plan.connections = 1
    plan.inFlight = 1
    plan.identifiersPerCall = 20
    var runs: [[[UInt8]]] = []
    for seed: UInt64 in [1, 1, 2] {
      plan.seed = seed
      let current = plan
      let requests = try await withLoops { loops in
        let marketplace = ScriptedMarketplace()
        let server = ScriptedServer(loops: loops) { method, request, _ in
          marketplace.reply(method, request)
        }
        let report = try await run(current, on: server)
        #expect(report.verdict == .passed)
        return server.requests.map(\.bytes)
      }
      runs.append(requests)
    }
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
  }
}
