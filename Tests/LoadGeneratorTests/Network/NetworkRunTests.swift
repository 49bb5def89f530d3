import RPC
import RPCTransport
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct NetworkRunTests {
  private func plan(_ scenario: LoadScenario, calls: Int) -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = 4
    plan.inFlight = 4
    plan.duration = nil
    plan.warmup = .zero
    plan.callLimit = calls
    plan.users = 20
    plan.seed = 5
    return plan
  }

  private func run(
    _ plan: LoadPlan, _ source: NetworkClientSource, _ group: EventLoopGroup
  ) async throws -> LoadReport {
    try await LoadRun(plan, products: nil, source: source, loops: group.loops).execute()
  }

  @Test func sessionsOverTLS() async throws {
    try await withLoginServer { server, group in
      let source = try server.source(group)
      for scenario in [LoadScenario.sessionCreate, .sessionReturn] {
        let report = try await run(plan(scenario, calls: 500), source, group)
        #expect(report.verdict == .passed)
        #expect(report.calls.ok == 500)
        #expect(report.calls.sent == 500)
        #expect(report.connections.opened == 4)
        #expect(report.connections.fullHandshakes == 4)
        #expect(report.connections.lost == 0)
        #expect(report.connections.security?.hasPrefix("TLSv1.3") == true)
        #expect(report.seconds > 0)
      }
    }
  }

  @Test(arguments: LoadPlan.Resumption.allCases)
  func handshakesAreResumedAsAsked(_ resumption: LoadPlan.Resumption) async throws {
    try await withLoginServer { server, group in
      var plan = plan(.handshake, calls: 40)
      plan.connections = 1
      plan.inFlight = 1
      plan.resumption = resumption
      let report = try await run(plan, try server.source(group), group)
      #expect(report.verdict == .passed)
      #expect(report.calls.ok == 40)
      // One more connection made the users known.
      let full = report.connections.fullHandshakes - 1
      let resumed = report.connections.resumedHandshakes
      #expect(full + resumed == 40)
      switch resumption {
      case .on: #expect(resumed >= 38)
      case .off: #expect(resumed == 0)
      case .both: #expect((18...20).contains(resumed))
      }
    }
  }

  @Test func answersOfTheServerAreCountedByStatus() async throws {
    let refusal = RPCError(
      .notFound, "no such app", info: ErrorInfo(reason: "APP_NOT_REGISTERED", domain: "onside.v1"))
    try await withLoginServer(refusing: refusal) { server, group in
      let report = try await run(
        plan(.sessionCreate, calls: 30), try server.source(group), group)
      #expect(report.calls.ok == 0)
      #expect(report.calls.failed == 30)
      #expect(report.calls.latency.count == 0)
      #expect(
        report.calls.failures.entries.map(\.kind) == [
          .init(phase: .answer, status: "NOT_FOUND", reason: "APP_NOT_REGISTERED")
        ])
    }
  }

  @Test("LG-17 a server that isn't trusted, or has another name, is named in the error")
  func untrustedServerIsACertificateError() async throws {
    try await withLoginServer { server, group in
      for (ca, name) in [("other/ca.pem", nil), ("ca.pem", "wrong.example")] as [(String, String?)]
      {
        let source = try server.source(group, ca: ca, name: name)
        let error = await #expect(throws: SetupError.self) {
          try await self.run(self.plan(.sessionCreate, calls: 1), source, group)
        }
        #expect(error?.code == .certificate)
        if let name { #expect(error?.description.contains(name) == true) }
      }
    }
  }

  @Test func serverThatIsNotThereIsAnAddressError() async throws {
    try await withLoginServer { server, group in
      // A port that was free a moment ago.
      let listener = try await LoginServer()
      let port = listener.port
      await listener.stop()
      let source = try server.source(group, port: port)
      let error = await #expect(throws: SetupError.self) {
        try await self.run(self.plan(.sessionCreate, calls: 1), source, group)
      }
      #expect(error?.code == .address)
    }
  }

  @Test func moreConnectionsThanDescriptorsAreRefusedBeforeTheLoad() async throws {
    try await withLoginServer { server, group in
      var plan = plan(.sessionCreate, calls: 1)
      plan.connections = DescriptorLimit.raise()
      let source = try server.source(group)
      let error = await #expect(throws: SetupError.self) {
        try await self.run(plan, source, group)
      }
      #expect(error?.code == .resources)
      #expect(error?.description.contains("ulimit -n") == true)
    }
  }
}
