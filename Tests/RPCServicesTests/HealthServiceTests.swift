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
}
