import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Servers that are drained and started again under load, as callers see it.
@Suite struct FailoverTests {
  private static let method = MethodDescriptor(service: "t", method: "Counted", shape: .unary)

  /// A server on a port of its own that can be stopped and started again.
  private final class Restartable: Sendable {
    let group: EventLoopGroup
    let port: UInt16
    private let runs: Locked<[String: Int]>
    private let server: Locked<Server?>

    init(counting runs: Locked<[String: Int]>) async throws {
      self.runs = runs
      group = try EventLoopGroup(loops: 1)
      let (first, port) = try await Self.start(group, port: 0, runs)
      self.port = port
      server = Locked(first)
    }

    var endpoint: Endpoint { .host("127.0.0.1", port: port) }

    private static func start(
      _ group: EventLoopGroup, port: UInt16, _ runs: Locked<[String: Int]>
    ) async throws -> (Server, UInt16) {
      var registry = MethodRegistry()
      registry.unary(FailoverTests.method) { (request: EchoMessage, _) in
        runs.withLock { $0[request.text, default: 0] += 1 }
        await Task.yield()
        return request
      }
      registry.authorize(FailoverTests.method, .anyone)
      let server = try Server(registry, group: group)
      let listener = try server.listen(
        on: .host("127.0.0.1", port: port),
        tls: try await TestCertificates.shared.value.serverTLS())
      return (server, listener.localAddress.port)
    }

    func drain() async {
      let running = server.withLock { server in
        defer { server = nil }
        return server
      }
      if let running { #expect(await running.drain(within: .seconds(60))) }
    }

    func restart() async throws {
      let (fresh, _) = try await Self.start(group, port: port, runs)
      server.withLock { $0 = fresh }
    }

    func stop() async {
      await drain()
      await group.shutdown()
    }
  }

  /// What the callers saw.
  private struct Report: Sendable {
    var succeeded = 0
    var errors: [RPCError] = []
  }

  /// Makes calls without a pause while `body` runs.
  private func underLoad(
    _ client: RPCClient, _ report: Locked<Report>, options: CallOptions = CallOptions(),
    _ body: () async throws -> Void
  ) async throws {
    let stop = Locked(false)
    let workers = (0..<8).map { worker in
      Task {
        var number = 0
        while !stop.current {
          number += 1
          let text = "\(worker)-\(number)"
          let result = await outcome(client, Self.method, text, options: options)
          report.withLock { report in
            if let error = result.error { report.errors.append(error) }
            if result.text == text { report.succeeded += 1 }
          }
          if result.error != nil { return }
        }
      }
    }
    var failure: (any Error)?
    do { try await body() } catch { failure = error }
    stop.withLock { $0 = true }
    for worker in workers { await worker.value }
    if let failure { throw failure }
  }

  /// Waits until so many more calls have succeeded, or one has failed.
  private func more(_ count: Int, _ report: Locked<Report>) async {
    let before = report.current.succeeded
    await until { report.current.succeeded >= before + count || !report.current.errors.isEmpty }
  }

  @Test(arguments: [Balancing.roundRobin, .leastLoaded, .pickFirst])
  func whenOneServerDrainsNobodySeesAnError(balancing: Balancing) async throws {
    let runs = Locked<[String: Int]>([:])
    let servers = [
      try await Restartable(counting: runs), try await Restartable(counting: runs),
    ]
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient(servers.map(\.endpoint), group) {
      $0.balancing = balancing
    }
    let report = Locked(Report())
    try await underLoad(client, report) {
      await more(200, report)
      await servers[0].drain()
      await more(200, report)
    }
    #expect(report.current.errors.map(\.description) == [])
    #expect(runs.current.values.allSatisfy { $0 == 1 })
    await client.close()
    for server in servers { await server.stop() }
    await group.shutdown()
  }

  @Test(arguments: [Balancing.roundRobin, .pickFirst])
  func serversThatRestartInTurnShowNoError(balancing: Balancing) async throws {
    let runs = Locked<[String: Int]>([:])
    let servers = [
      try await Restartable(counting: runs), try await Restartable(counting: runs),
    ]
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient(servers.map(\.endpoint), group) {
      $0.balancing = balancing
    }
    let report = Locked(Report())
    try await underLoad(client, report) {
      for round in 0..<10 {
        await more(50, report)
        await servers[round % 2].drain()
        try await servers[round % 2].restart()
      }
      await more(50, report)
    }
    #expect(report.current.errors.map(\.description) == [])
    #expect(runs.current.values.allSatisfy { $0 == 1 })
    await client.close()
    for server in servers { await server.stop() }
    await group.shutdown()
  }

  @Test func callsThatWaitForReadySurviveTheirOnlyServersRestarts() async throws {
    let runs = Locked<[String: Int]>([:])
    let server = try await Restartable(counting: runs)
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient([server.endpoint], group)
    let report = Locked(Report())
    try await underLoad(client, report, options: CallOptions(waitsForReady: true)) {
      for _ in 0..<5 {
        await more(50, report)
        await server.drain()
        try await server.restart()
      }
      await more(50, report)
    }
    #expect(report.current.errors.map(\.description) == [])
    #expect(runs.current.values.allSatisfy { $0 == 1 })
    await client.close()
    await server.stop()
    await group.shutdown()
  }

  @Test func withoutAnotherServerCallersAreToldThatNothingWasStarted() async throws {
    let runs = Locked<[String: Int]>([:])
    let server = try await Restartable(counting: runs)
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient([server.endpoint], group)
    let report = Locked(Report())
    try await underLoad(client, report) {
      await more(100, report)
      await server.drain()
      await until { report.current.errors.count == 8 }
    }
    for error in report.current.errors {
      #expect(error.code == .unavailable)
      #expect(error.wasStarted == false)
    }
    #expect(runs.current.count == report.current.succeeded)
    await client.close()
    await server.stop()
    await group.shutdown()
  }
}
