import RPC
import RPCProto
import RPCServices
import Testing

@Suite("Health")
struct HealthServiceTests {
  private let health = HealthService(services: [RPCHealthMethods.descriptor])

  private func client() throws -> RPCHealthClient {
    var registry = MethodRegistry()
    registry.add(health, authorization: HealthService.rules)
    return RPCHealthClient(try InProcessTransport(registry))
  }

  private func check(_ service: String) async throws -> RPCServingStatus {
    try await client().check(RPCHealthCheckRequest(service: service)).status
  }

  @Test("The server and each of its services serve until somebody says otherwise")
  func check() async throws {
    #expect(try await check("") == .serving)
    #expect(try await check("rpc.v1.Health") == .serving)
    health.set(.notServing, for: "rpc.v1.Health")
    #expect(try await check("rpc.v1.Health") == .notServing)
    #expect(try await check("") == .serving)
    health.set(.serving, for: "rpc.v1.Health")
    #expect(try await check("rpc.v1.Health") == .serving)
  }

  @Test("A service that isn't there is not found, and its name does no harm in the answer")
  func unknown() async throws {
    let name = "no\u{1b}[31m" + String(repeating: "x", count: 5_000)
    let error = await #expect(throws: RPCError.self) { try await check(name) }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("\u{1b}") == false)
    #expect((error?.message.utf8.count ?? 0) < 200)
  }

  @Test("A server that drains serves nothing, whatever is said afterwards")
  func drain() async throws {
    health.drain()
    health.set(.serving)
    #expect(try await check("") == .notServing)
    #expect(try await check("rpc.v1.Health") == .notServing)
  }

  @Test("A watch tells the state now and each that follows, and ends when the server drains")
  func watch() async throws {
    var states = try client().watch(RPCHealthCheckRequest(service: "")).makeAsyncIterator()
    #expect(try await states.next()?.status == .serving)
    health.set(.notServing)
    #expect(try await states.next()?.status == .notServing)
    // No change, so nothing is told.
    health.set(.notServing)
    health.set(.serving, for: "rpc.v1.Health")
    health.set(.serving)
    #expect(try await states.next()?.status == .serving)
    health.drain()
    #expect(try await states.next()?.status == .notServing)
    #expect(try await states.next() == nil)
  }

  @Test("A service that isn't there is unknown to a watch, and may come")
  func watchUnknown() async throws {
    var states = try client().watch(RPCHealthCheckRequest(service: "x.Y")).makeAsyncIterator()
    #expect(try await states.next()?.status == .serviceUnknown)
    health.set(.serving, for: "x.Y")
    #expect(try await states.next()?.status == .serving)
    let error = await #expect(throws: RPCError.self) {
      let name = String(repeating: "x", count: 256)
      for try await _ in try client().watch(RPCHealthCheckRequest(service: name)) {}
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("A watch begun while the server drains tells so and ends")
  func watchDraining() async throws {
    health.drain()
    var states = try client().watch(RPCHealthCheckRequest(service: "")).makeAsyncIterator()
    #expect(try await states.next()?.status == .notServing)
    #expect(try await states.next() == nil)
    #expect(health.watcherCount == 0)
  }

  @Test("A caller that goes leaves no watcher behind; one that is slow misses states, not the last")
  func watchers() async throws {
    var changes = health.changes().makeAsyncIterator()
    for _ in 0..<100 {
      health.set(.notServing)
      health.set(.serving)
    }
    health.set(.notServing)
    #expect(await changes.next() == .notServing)
    let task = Task { [health] in
      for await _ in health.changes(of: "rpc.v1.Health") {}
    }
    while health.watcherCount < 2 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(health.watcherCount == 1)
  }
}
