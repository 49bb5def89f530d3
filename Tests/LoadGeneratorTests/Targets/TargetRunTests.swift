import Foundation
import LoadReporting
import RPC
import RPCClient
import RPCTransport
import Testing

@testable import LoadGenerator

/// Loads against real servers at targets of every kind.
@Suite struct TargetRunTests {
  private func plan(_ scenario: LoadScenario, calls: Int, connections: Int = 4) -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = connections
    plan.duration = nil
    plan.warmup = .zero
    plan.callLimit = calls
    plan.users = 20
    plan.seed = 5
    return plan
  }

  private func tls(_ certificates: TestCertificates) -> ClientTLS.Configuration {
    var tls = ClientTLS.Configuration(applicationProtocols: ["onside/1"])
    tls.trust = .file(certificates.path("ca.pem"))
    return tls
  }

  private func source(
    _ targets: [LoadTarget], _ tls: ClientTLS.Configuration, _ group: EventLoopGroup
  ) throws -> NetworkClientSource {
    try NetworkClientSource(targets: targets, tls: tls, groups: [group], timeout: .seconds(10))
  }

  private func run(
    _ plan: LoadPlan, _ source: NetworkClientSource, _ group: EventLoopGroup
  ) async throws -> LoadReport {
    try await LoadRun(plan, products: nil, source: source, loops: group.loops).execute()
  }

  @Test func connectionsAreSpreadOverAllAddressesInTurn() async throws {
    try await withLoginServer { first, group in
      let second = try await LoginServer(sharing: first, at: .host("127.0.0.2", port: 0))
      let targets = [first, second].map { server in
        LoadTarget(.host("localhost", port: server.port), at: server.listener.localAddress)
      }
      let source = try source(targets, tls(first.certificates), group)
      #expect(source.addressCount == 2)
      let report = try await run(plan(.sessionCreate, calls: 60, connections: 6), source, group)
      #expect(report.verdict == .passed)
      #expect(first.accepted == 3)
      #expect(second.accepted == 3)
      await second.stop()
    }
  }

  @Test func sessionsAreResumedAtTheServerThatGaveThem() async throws {
    try await withLoginServer { first, group in
      let second = try await LoginServer(sharing: first, at: .host("127.0.0.2", port: 0))
      let targets = [first, second].map { server in
        LoadTarget(.host("localhost", port: server.port), at: server.listener.localAddress)
      }
      var plan = plan(.handshake, calls: 40, connections: 1)
      plan.resumption = .on
      let source = try source(targets, tls(first.certificates), group)
      let report = try await run(plan, source, group)
      #expect(report.calls.ok == 40)
      // Of 41 connections, a server's first two or three find no ticket yet.
      #expect(report.connections.resumedHandshakes >= 35)
      await second.stop()
    }
  }

  @Test func addressesThatRefuseAreLeftOutOfANamesAddresses() async throws {
    try await withLoginServer { server, group in
      let endpoint = Endpoint.host("localhost", port: server.port)
      let refusing = try #require(SocketAddress(literal: "127.0.0.3", port: server.port))
      let targets = [
        LoadTarget(endpoint, at: refusing), LoadTarget(endpoint, at: server.listener.localAddress),
      ]
      let tls = try ClientTLS(tls(server.certificates))
      let probe = await TargetProbe(targets, tls: tls, group: group, timeout: .seconds(5))
      #expect(probe.targets == [targets[1]])
      #expect(probe.remarks.count == 1)
      #expect(probe.remarks.first?.contains("127.0.0.3") == true)
      // What was named by itself is meant, also if nobody is there.
      let alone = await TargetProbe([targets[0]], tls: tls, group: group, timeout: .seconds(5))
      #expect(alone.targets == [targets[0]])
      #expect(alone.remarks == [])
    }
  }

  @Test func unixSockets() async throws {
    let certificates = try await TestCertificates.shared.value
    let path = certificates.path("load.sock")
    let server = try await LoginServer(at: .unix(path: path))
    let group = try EventLoopGroup(loops: 1)
    let targets = try await TargetList(["unix:\(path)"]).resolve()
    let source = try source(targets, tls(certificates), group)
    #expect(source.addressCount == 0)
    let report = try await run(plan(.sessionReturn, calls: 50), source, group)
    #expect(report.verdict == .passed)
    #expect(server.accepted == 4)
    await group.shutdown()
    await server.stop()
  }

  @Test("LG-16 a client certificate that is missing fails in phase tls")
  func missingClientCertificate() async throws {
    let server = try await LoginServer(asksForCertificates: true)
    let group = try EventLoopGroup(loops: 1)
    var tls = tls(server.certificates)
    let target = LoadTarget(.host("127.0.0.1", port: server.port))
    let report = try await run(
      plan(.sessionCreate, calls: 4), try source([target], tls, group), group)
    #expect(report.calls.ok == 0)
    #expect(report.calls.failed == 4)
    #expect(report.calls.failures.entries.map(\.kind.phase) == [.tls])
    let sample = report.calls.failures.entries.first?.samples.first
    #expect(sample?.contains("certificate required") == true, "\(sample ?? "")")
    // What has to happen before the load fails with the same reason.
    let error = await #expect(throws: SetupError.self) {
      try await self.run(
        self.plan(.sessionReturn, calls: 4), try self.source([target], tls, group), group)
    }
    #expect(error?.code == .certificate)

    tls.certificateFile = server.certificates.path("client.pem")
    tls.keyFile = server.certificates.path("client.key")
    let good = try await run(
      plan(.sessionCreate, calls: 4), try source([target], tls, group), group)
    #expect(good.verdict == .passed)
    await group.shutdown()
    await server.stop()
  }

  @Test("LG-18 an IP address is sent as no server name; a host is, or what takes its place")
  func serverNames() async throws {
    let certificates = try await TestCertificates.shared.value
    let group = try EventLoopGroup(loops: 1)
    let cases: [(String, String?, String?)] = [
      ("127.0.0.1", nil, nil), ("localhost", nil, "localhost"),
      ("127.0.0.1", "shop.example", "shop.example"), ("localhost", "127.0.0.1", nil),
    ]
    for (host, override, expected) in cases {
      var tls = tls(certificates)
      tls.serverName = override
      let configured = tls
      let hello = try await ClientHello.taken { port in
        let target = LoadTarget(
          .host(host, port: port), at: SocketAddress(literal: "127.0.0.1", port: port))
        let source = try? self.source([target], configured, group)
        let client = source?.makeClient(onLoop: 0, resumes: false) { _ in }
        try? await client?.connect()
        await client?.close()
      }
      #expect(hello.count > 100)
      #expect(ClientHello.serverName(in: hello) == expected, "\(host) \(override ?? "")")
    }
    await group.shutdown()
  }

  @Test func insecureTakesAnyCertificate() async throws {
    let server = try await LoginServer(certificate: "other/server")
    let group = try EventLoopGroup(loops: 1)
    var tls = tls(server.certificates)
    let target = LoadTarget(.host("127.0.0.1", port: server.port))
    let error = await #expect(throws: SetupError.self) {
      try await self.run(
        self.plan(.sessionCreate, calls: 4), try self.source([target], tls, group), group)
    }
    #expect(error?.code == .certificate)
    tls.verification = .insecureNone
    let report = try await run(
      plan(.sessionCreate, calls: 4), try source([target], tls, group), group)
    #expect(report.verdict == .passed)
    await group.shutdown()
    await server.stop()
  }
}
