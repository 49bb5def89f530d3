import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct AddressesTests {
  /// An address where nobody listens: port 1 of this machine.
  private static let deaf = SocketAddress.ipv4(address: 0x7F00_0001, port: 1)
  private static let name = Endpoint.host("localhost", port: 1)

  private func call(_ client: RPCClient, _ count: Int) async throws {
    let stub = EchoServiceClient(client)
    for number in 0..<count {
      #expect(try await stub.echo(EchoMessage(text: "\(number)")).text == "\(number)")
    }
  }

  @Test func pickFirstUsesOneServer() async throws {
    try await withServers(2) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group)
      try await call(client, 10)
      #expect(servers.map(\.answered) == [10, 0])
      #expect(client.metrics.openedConnections == 1)
      await client.close()
    }
  }

  @Test func roundRobinUsesAllInTurn() async throws {
    try await withServers(3) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.balancing = .roundRobin
      }
      try await client.connect()
      try await call(client, 30)
      #expect(servers.map(\.answered) == [10, 10, 10])
      await client.close()
    }
  }

  @Test func leastLoadedAvoidsTheBusyServer() async throws {
    try await withServers(2) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.balancing = .leastLoaded
      }
      try await client.connect()
      let stub = EchoServiceClient(client)
      let waiting = Task { try await stub.wait(WaitRequest(gate: "busy")).text }
      await until { servers.contains { $0.server.metrics.runningHandlers == 1 } }
      try await call(client, 10)
      for server in servers {
        #expect(server.answered == (server.server.metrics.runningHandlers == 1 ? 0 : 10))
        server.handlers.gates.open("busy")
      }
      #expect(try await waiting.value == "let go")
      await client.close()
    }
  }

  @Test(arguments: [Balancing.pickFirst, .roundRobin, .leastLoaded])
  func anAddressThatFailsFailsNoCall(balancing: Balancing) async throws {
    try await withServers(1) { servers, group in
      let resolver = FakeResolver([])
      resolver.answer([Self.deaf, servers[0].address])
      let client = try await makeClient([Self.name], group) {
        $0.balancing = balancing
        $0.resolver = resolver
      }
      try await call(client, 10)
      #expect(servers[0].answered == 10)
      #expect(client.metrics.failedConnections[.connecting, default: 0] >= 1)
      await client.close()
    }
  }

  @Test func noMoreAddressesAreUsedThanAllowed() async throws {
    try await withServers(3) { servers, group in
      let client = try await makeClient([Self.name], group) {
        $0.balancing = .roundRobin
        $0.resolver = FakeResolver(servers)
        $0.resolution.maximumAddresses = 2
      }
      try await client.connect()
      try await call(client, 10)
      #expect(servers.map(\.answered) == [5, 5, 0])
      await client.close()
    }
  }

  @Test func aNameThatIsUnknownFailsCallsWithItsPhase() async throws {
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient([Self.name], group) {
      $0.resolver = FakeResolver(failing: "no such host")
    }
    let error = await outcome(client, EchoServiceMethods.echo).error
    #expect(error?.code == .unavailable)
    #expect(error?.phase == .resolving)
    #expect(error?.wasStarted == false)
    #expect(error?.message.contains("no such host ('localhost')") == true)
    await client.close()
    await group.shutdown()
  }

  @Test func aClientWithoutEndpointsSaysSo() async throws {
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient([], group)
    let error = await outcome(client, EchoServiceMethods.echo).error
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("no address") == true)
    await client.close()
    await group.shutdown()
  }

  @Test func aCallThatWaitsForReadyWaitsForTheName() async throws {
    try await withServers(1) { servers, group in
      let resolver = FakeResolver(failing: "the name server doesn't answer")
      let client = try await makeClient([Self.name], group) { $0.resolver = resolver }
      let call = Task {
        await outcome(
          client, EchoServiceMethods.echo, "found", options: CallOptions(waitsForReady: true))
      }
      await until { resolver.lookUps >= 2 }
      resolver.answer(servers)
      #expect(await call.value.text == "found")
      await client.close()
    }
  }

  @Test func afterFailuresTheNameIsLookedUpAgain() async throws {
    try await withServers(2) { servers, group in
      let resolver = FakeResolver([servers[0]])
      let client = try await makeClient([Self.name], group) { $0.resolver = resolver }
      try await call(client, 1)
      resolver.answer([servers[1]])
      await servers[0].server.drain(within: .seconds(30))
      let result = await outcome(
        client, EchoServiceMethods.echo, "moved", options: CallOptions(waitsForReady: true))
      #expect(result.text == "moved")
      #expect(servers[1].answered == 1)
      await client.close()
    }
  }

  @Test func oldAddressesAreLookedUpAgainAndConnectionsFollow() async throws {
    try await withServers(2) { servers, group in
      let resolver = FakeResolver([servers[0]])
      let client = try await makeClient([Self.name], group) {
        $0.resolver = resolver
        $0.resolution = ResolutionPolicy(
          maximumAge: .milliseconds(20), minimumInterval: .milliseconds(1))
      }
      try await call(client, 1)
      resolver.answer([servers[1]])
      // No call is under way and none waits: the connection moves by itself.
      await until { servers[1].server.metrics.openConnections == 1 }
      await until { servers[0].server.metrics.openConnections == 0 }
      try await call(client, 5)
      #expect(servers.map(\.answered) == [1, 5])
      await client.close()
    }
  }

  @Test func aLookUpThatFailsKeepsWhatIsKnown() async throws {
    try await withServers(1) { servers, group in
      let resolver = FakeResolver(servers)
      let client = try await makeClient([Self.name], group) {
        $0.resolver = resolver
        $0.resolution = ResolutionPolicy(
          maximumAge: .milliseconds(5), minimumInterval: .milliseconds(1))
      }
      try await call(client, 1)
      resolver.fail("the name server doesn't answer")
      let before = resolver.lookUps
      await until { resolver.lookUps >= before + 2 }
      try await call(client, 5)
      #expect(servers[0].server.metrics.acceptedConnections == 1)
      await client.close()
    }
  }

  @Test func theSystemFindsThisMachine() async throws {
    let addresses = try await withCheckedThrowingContinuation { continuation in
      SystemResolver().resolve(.host("localhost", port: 7)) { result in
        continuation.resume(with: result)
      }
    }
    #expect(addresses.contains { $0.host == "127.0.0.1" || $0.host == "::1" })
    #expect(addresses.allSatisfy { $0.port == 7 })
  }
}
