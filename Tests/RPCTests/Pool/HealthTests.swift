import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct HealthTests {
  /// Says of servers, told apart by what they answer to a call of theirs, what a test wants.
  private final class Oracle: HealthChecking {
    /// Reports of all watches, with the server that they are about.
    let watches = Locked<[(server: String, report: @Sendable (Bool) -> Void)]>([])
    private let first: @Sendable (String) -> Bool?

    /// - Parameter first: What a server is said to be at first; nil says nothing yet.
    init(first: @escaping @Sendable (String) -> Bool?) { self.first = first }

    func watch(
      _ connection: any CallInvoker, report: @escaping @Sendable (Bool) -> Void
    ) async {
      let answer = await outcome(connection, HealthTests.whoami)
      guard let server = answer.text else {
        Issue.record("asking who it is failed: \(String(describing: answer.error))")
        return
      }
      watches.withLock { $0.append((server, report)) }
      if let isServing = first(server) { report(isServing) }
      // Until it is cancelled.
      try? await Task.sleep(for: .seconds(3600))
    }

    func say(_ server: String, _ isServing: Bool) {
      for watch in watches.current where watch.server == server { watch.report(isServing) }
    }
  }

  static let whoami = MethodDescriptor(service: "test.Who", method: "AmI", shape: .unary)

  /// Two servers that say "a" and "b".
  private func withPair(
    _ oracle: any HealthChecking, _ balancing: Balancing,
    _ body: (RPCClient) async throws -> Void
  ) async throws {
    var servers: [EchoServer] = []
    for name in ["a", "b"] {
      let server = try await EchoServer(
        loops: 1,
        register: { registry in
          registry.unary(Self.whoami) { (_: EchoMessage, _) in EchoMessage(text: name) }
          registry.authorize(Self.whoami, .anyone)
        })
      servers.append(server)
    }
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient(servers.map(\.endpoint), group) {
      $0.balancing = balancing
      $0.health = oracle
    }
    try await body(client)
    await client.close()
    for server in servers { await server.stop() }
    await group.shutdown()
  }

  private func answers(_ client: RPCClient, _ count: Int) async -> Set<String> {
    var answers: Set<String> = []
    for _ in 0..<count {
      let result = await outcome(client, Self.whoami)
      answers.insert(result.text ?? "\(result.error?.code ?? .ok)")
    }
    return answers
  }

  @Test func aServerThatDoesNotServeGetsNoCalls() async throws {
    let oracle = Oracle { $0 == "b" }
    try await withPair(oracle, .roundRobin) { client in
      #expect(await answers(client, 10) == ["b"])
      await until { oracle.watches.current.count == 2 }
      oracle.say("a", true)
      var seen: Set<String> = []
      while seen.count < 2 { seen.formUnion(await answers(client, 4)) }
      #expect(seen == ["a", "b"])
      oracle.say("b", false)
      while await answers(client, 4) != ["a"] {}
      #expect(await answers(client, 10) == ["a"])
    }
  }

  @Test func pickFirstGoesOnToAServerThatServes() async throws {
    let oracle = Oracle { $0 == "b" }
    try await withPair(oracle, .pickFirst) { client in
      #expect(await answers(client, 10) == ["b"])
      oracle.say("b", false)
      oracle.say("a", true)
      while await answers(client, 4) != ["a"] {}
      #expect(await answers(client, 10) == ["a"])
    }
  }

  @Test func whenNobodyServesCallsFailUnlessTheyWait() async throws {
    let oracle = Oracle { _ in false }
    try await withPair(oracle, .roundRobin) { client in
      let error = await outcome(client, Self.whoami).error
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
      #expect(error?.message.contains("doesn't serve") == true)
      let waiting = Task {
        await outcome(client, Self.whoami, options: CallOptions(waitsForReady: true)).text
      }
      await until { oracle.watches.current.count == 2 }
      oracle.say("a", true)
      #expect(await waiting.value == "a")
    }
  }

  @Test func callsWaitForTheFirstWord() async throws {
    let oracle = Oracle { _ in nil }
    try await withPair(oracle, .roundRobin) { client in
      let waiting = Task { await outcome(client, Self.whoami).text }
      await until { oracle.watches.current.count == 2 }
      oracle.say("b", true)
      #expect(await waiting.value == "b")
    }
  }

  /// Knows nothing of health: returns without a report.
  private struct Ignorant: HealthChecking {
    func watch(
      _ connection: any CallInvoker, report: @escaping @Sendable (Bool) -> Void
    ) async {}
  }

  @Test func aServerThatKnowsNothingOfHealthServes() async throws {
    try await withPair(Ignorant(), .roundRobin) { client in
      #expect(await answers(client, 10).isSubset(of: ["a", "b"]))
    }
  }
}
