import Foundation
import LoadReporting
import RPC
import RPCTransport
import Testing

@testable import LoadGenerator

/// Loads over TLS, on a real server.
@Suite struct OpenLoopNetworkTests {
  private func plan(_ scenario: LoadScenario, rate: Double, seconds: Double) throws -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.stages = [try LoadStage(rate: rate, duration: .seconds(seconds))]
    plan.duration = .seconds(seconds)
    plan.warmup = .zero
    plan.connections = 4
    plan.inFlight = 8
    plan.users = 10
    plan.seed = 11
    return plan
  }

  /// How many calls the tests that count make; a million with `ONSIDE_LOAD_CALLS=1000000`.
  private static let manyCalls =
    ProcessInfo.processInfo.environment["ONSIDE_LOAD_CALLS"].flatMap { Int($0) } ?? 20_000

  @Test("LG-07 the server has counted as many calls as were sent")
  func serverCountsTheSame() async throws {
    try await withLoginServer { server, group in
      var plan = LoadPlan(scenario: .sessionCreate)
      plan.connections = 8
      plan.inFlight = 16
      plan.duration = nil
      plan.warmup = .zero
      plan.callLimit = OpenLoopNetworkTests.manyCalls
      plan.seed = 3
      let report = try await LoadRun(
        plan, products: nil, source: try server.source(group), loops: group.loops
      ).execute()
      #expect(report.verdict == .passed)
      #expect(report.calls.sent == OpenLoopNetworkTests.manyCalls)
      #expect(report.calls.ok == OpenLoopNetworkTests.manyCalls)
      #expect(server.sessions == OpenLoopNetworkTests.manyCalls)
      let unique = report.checks.first { $0.name == "session_tokens_unique" }
      #expect(unique?.checked == OpenLoopNetworkTests.manyCalls)
    }
  }

  @Test func phasesOfConnectionsAndCallsAreMeasured() async throws {
    try await withLoginServer { server, group in
      let report = try await LoadRun(
        try plan(.sessionReturn, rate: 200, seconds: 0.5), products: nil,
        source: try server.source(group), loops: group.loops
      ).execute()
      #expect(report.calls.ok == report.delivery.sent)
      let phases = Dictionary(uniqueKeysWithValues: report.phases.map { ($0.phase, $0.latency) })
      #expect(phases[.tcpConnect]?.count == 4)
      #expect(phases[.tlsFull]?.count == 4)
      #expect(phases[.tlsResumed] == nil)
      #expect(phases[.firstByte]?.count == UInt64(report.calls.ok))
      // A sample of the calls asks for it.
      let service = try #require(phases[.service]?.count)
      #expect((1...UInt64(report.calls.ok)).contains(service))
      let tls = try #require(phases[.tlsFull])
      #expect(tls.min > 10_000, "a handshake takes more than 10 µs")
    }
  }

  @Test func newConnectionIsMadeAfterSoManyCalls() async throws {
    try await withLoginServer { server, group in
      var plan = try plan(.sessionReturn, rate: 1000, seconds: 60)
      plan.connections = 1
      plan.inFlight = 1
      plan.callLimit = 95
      plan.callsPerConnection = 10
      let run = { (plan: LoadPlan) in
        try await LoadRun(
          plan, products: nil, source: try server.source(group), loops: group.loops
        ).execute()
      }
      let report = try await run(plan)
      #expect(report.calls.ok == 95)
      // The ten users were made known on the first, which has had its calls then.
      #expect(report.connections.opened == 11)
      #expect(report.connections.fullHandshakes == 1)
      #expect(report.connections.resumedHandshakes == 10)
      #expect(report.connections.lost == 0)
      #expect(report.connections.tickets > 0)
      plan.resumption = .off
      let full = try await run(plan)
      #expect(full.connections.opened == 11)
      #expect(full.connections.resumedHandshakes == 0)
    }
  }

  @Test func clientsSpreadTheirCallsOverSeveralConnections() async throws {
    try await withLoginServer { server, group in
      var plan = LoadPlan(scenario: .sessionReturn)
      plan.connections = 3
      plan.connectionsPerClient = 4
      plan.duration = nil
      plan.callLimit = 50
      plan.users = 5
      let source = try server.source(group, connectionsPerClient: 4)
      let report = try await LoadRun(plan, products: nil, source: source, loops: group.loops)
        .execute()
      #expect(report.calls.ok == 50)
      #expect(report.connections.opened == 12)
    }
  }

  @Test("LG-13 a server that is killed and comes back shows as a gap, and is reconnected to")
  func serverThatComesBack() async throws {
    let first = try await LoginServer()
    let group = try EventLoopGroup(loops: 1)
    var plan = try plan(.sessionCreate, rate: 50, seconds: 600)
    plan.timeout = .milliseconds(500)
    plan.callsPerConnection = 5
    let course = ServerCourse(first)
    let control = RunControl()
    let run = try LoadRun(
      plan, products: nil, source: try first.source(group), loops: group.loops, control: control)
    let report = try await run.execute(onSecond: { course.saw($0, control) })
    await group.shutdown()
    await course.end()

    #expect(report.ending == .interrupted)
    let gap = try #require(report.series.firstIndex { $0.ok == 0 && $0.failed > 0 })
    #expect(report.series[..<gap].contains { $0.ok > 0 })
    #expect(report.series[gap...].contains { $0.ok > 0 })
    let phases = Set(report.calls.failures.entries.map(\.kind.phase))
    #expect(phases.isSubset(of: [.connect, .tls, .call]) && phases.contains(.connect))
    let failures = report.calls.failures.entries
    #expect(failures.allSatisfy { $0.first > 0 && $0.last >= $0.first })
    // The server that came back has new ticket keys: its own tickets are resumed.
    #expect(report.connections.resumedHandshakes > 5)
  }

  /// Kills the server when calls have been answered, starts it again when some have failed, and
  /// ends the run when they are answered once more.
  private final class ServerCourse: @unchecked Sendable {
    private enum State { case up, down, back, ended }

    private var state = State.up
    private var server: Task<LoginServer?, any Error>
    private let first: LoginServer

    init(_ server: LoginServer) {
      self.server = Task { server }
      first = server
    }

    func saw(_ second: SecondFigures, _ control: RunControl) {
      let (server, first, port) = (server, first, first.port)
      switch state {
      case .up where second.ok > 20:
        state = .down
        self.server = Task {
          try await server.value?.kill()
          return nil
        }
      case .down where second.ok == 0 && second.failed > 20:
        state = .back
        self.server = Task {
          _ = try await server.value
          return try await LoginServer(sharing: first, at: .host("127.0.0.1", port: port))
        }
      case .back where second.ok > 20:
        state = .ended
        control.stop()
      default: break
      }
    }

    func end() async {
      await (try? server.value)?.stop()
    }
  }
}
