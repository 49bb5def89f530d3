import LoadReporting
import RPCServer
import RPCTransport
import Testing

@testable import LoadGenerator

/// What goes over the wire is compared with what the server's own counters say of its frames.
@Suite struct WireBytesTests {
  private func plan(_ scenario: LoadScenario, calls: Int, connections: Int) -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = connections
    plan.duration = nil
    plan.warmup = .zero
    plan.callLimit = calls
    plan.users = 20
    plan.seed = 9
    plan.verifies = false
    return plan
  }

  /// A run, and the bytes of frames that the server took and sent meanwhile.
  private func run(
    _ plan: LoadPlan
  ) async throws -> (report: LoadReport, received: Int, sent: Int) {
    try await withLoginServer { server, group in
      let report = try await LoadRun(
        plan, products: nil, source: try server.source(group), loops: group.loops
      ).execute()
      #expect(report.verdict == .passed)
      let metrics = server.server.metrics
      return (report, metrics.receivedBytes, metrics.sentBytes)
    }
  }

  /// A TLS 1.3 record adds 22 bytes to what is in it.
  private static let record = 22

  /// Handshake, goodbyes and settings of one connection take no more.
  private static let most = 8192

  @Test func framesAndTheirRecordsAreCounted() async throws {
    let (calls, connections) = (500, 4)
    let (report, received, sent) = try await run(
      plan(.sessionCreate, calls: calls, connections: connections))
    let figures = report.connections
    let overhead = (calls + 100) * Self.record + connections * Self.most
    #expect(figures.bytesSent > UInt64(received))
    #expect(figures.bytesSent < UInt64(received + overhead))
    #expect(figures.bytesReceived > UInt64(sent))
    #expect(figures.bytesReceived < UInt64(sent + overhead))
    // The connections were made before the load.
    let before = figures.bytesReceived - figures.loadBytesReceived
    #expect(before > UInt64(connections) * 500)
    #expect(before < UInt64(connections * Self.most))
    let perCall = try #require(report.bytesSentPerCall)
    #expect(perCall > Double(Self.record) && perCall < 500)
  }

  @Test func connectionsThatAreMadeInTheLoadAreCounted() async throws {
    var perCall: [Double] = []
    for resumption in [LoadPlan.Resumption.off, .on] {
      var plan = plan(.handshake, calls: 30, connections: 1)
      plan.resumption = resumption
      let (report, _, sent) = try await run(plan)
      #expect(report.connections.bytesReceived > UInt64(sent))
      perCall.append(try #require(report.bytesReceivedPerCall))
    }
    // The certificate and its signature come only where no session is resumed.
    #expect(perCall[1] > 300)
    #expect(perCall[0] > perCall[1] + 300)
  }

  @Test func connectionsThatWereReplacedAreCounted() async throws {
    var plan = plan(.sessionCreate, calls: 60, connections: 2)
    plan.callsPerConnection = 5
    let (report, received, sent) = try await run(plan)
    #expect(report.connections.opened >= 12)
    #expect(report.connections.lost == 0)
    let handshakes = UInt64(report.connections.opened) * 300
    #expect(report.connections.bytesSent > UInt64(received) + handshakes)
    #expect(report.connections.bytesReceived > UInt64(sent) + handshakes)
  }
}
