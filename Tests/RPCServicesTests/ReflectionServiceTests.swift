import OnsideProto
import ProtobufReflection
import RPC
import RPCProto
import RPCServices
import Testing

@Suite("Reflection")
struct ReflectionServiceTests {
  private func transport(
    _ rule: AuthorizationRule = .anyone, offersReflection: Bool = true
  ) throws -> InProcessTransport {
    var registry = MethodRegistry()
    registry.add(HealthService(services: []), authorization: HealthService.rules)
    if offersReflection { try registry.addReflection(authorization: rule) }
    return try InProcessTransport(registry)
  }

  /// What keeps a schema from being had; nil: nothing.
  private func problem(_ schema: ServerSchema, _ symbol: String) async -> ServerSchema.Problem? {
    do throws(ServerSchema.Problem) {
      _ = try await schema.services()
      _ = try await schema.pool(defining: symbol)
      return nil
    } catch {
      return error
    }
  }

  @Test("The services are listed, reflection among them")
  func list() async throws {
    let schema = ServerSchema(try transport())
    #expect(try await schema.services() == ["rpc.v1.Health", "rpc.v1.Reflection"])
    let pool = try await schema.pool()
    #expect(
      pool.service(named: "rpc.v1.Reflection")?.methods.map(\.name) == ["ListServices", "GetFile"])
  }

  @Test("A file comes with what it imports, found by whatever it defines")
  func files() async throws {
    let client = RPCReflectionClient(try transport())
    for symbol in [
      "rpc.v1.carries_credentials", "rpc.v1.Health.Check", "rpc.v1.ErrorInfo.reason",
      "google.protobuf.Any",
    ] {
      let files = try await client.getFile(RPCGetFileRequest(wanted: .symbol(symbol))).files
      let pool = try DescriptorPool(serializedFiles: files)
      #expect(pool.file(defining: symbol)?.name == pool.files.last?.name, "\(symbol)")
    }
    let options = try await client.getFile(RPCGetFileRequest(wanted: .name("rpc/v1/options.proto")))
    #expect(
      try DescriptorPool(serializedFiles: options.files).files.map(\.name)
        == ["google/protobuf/descriptor.proto", "rpc/v1/options.proto"])
  }

  @Test("The marketplace's files need nothing that a server doesn't have")
  func marketplace() async throws {
    let service = try ReflectionService(services: [LoginServiceMethods.descriptor])
    var registry = MethodRegistry()
    registry.add(
      service,
      authorization: [
        RPCReflectionMethods.listServices: .anyone, RPCReflectionMethods.getFile: .anyone,
      ])
    let schema = ServerSchema(try InProcessTransport(registry))
    let pool = try await schema.pool(defining: "onside.v1.LoginService")
    let method = try #require(
      pool.service(named: "onside.v1.LoginService")?.method(named: "CreateSession"))
    #expect(method.carriesCredentials)
    #expect(MethodDescriptor(method).idempotency == .idempotent)
    #expect(
      pool.describe("onside.v1.LoginService.CreateSession")?.definition.contains(
        "option (rpc.v1.carries_credentials) = true;") == true)
  }

  @Test("What isn't there is not found; what wasn't asked for is refused")
  func mistakes() async throws {
    let client = RPCReflectionClient(try transport())
    for (wanted, code) in [
      (.symbol("no.Such"), .notFound), (.name("no.proto"), .notFound), (nil, .invalidArgument),
    ] as [(RPCGetFileRequest.Wanted?, StatusCode)] {
      let error = await #expect(throws: RPCError.self) {
        try await client.getFile(RPCGetFileRequest(wanted: wanted))
      }
      #expect(error?.code == code)
    }
  }

  @Test("A server without reflection, and one that keeps it from strangers, are told apart")
  func notOffered() async throws {
    let symbol = "rpc.v1.Health"
    let open = ServerSchema(try transport())
    #expect(await problem(open, symbol) == nil)
    let without = ServerSchema(try transport(offersReflection: false))
    guard case .notOffered? = await problem(without, symbol) else {
      Issue.record("reflection seems to be offered")
      return
    }
    let rule = AuthorizationRule("nobody") { _ throws(RPCError) in
      throw RPCError(.permissionDenied, "for operators only")
    }
    guard case .call(let error)? = await problem(ServerSchema(try transport(rule)), symbol) else {
      Issue.record("a stranger may look")
      return
    }
    #expect(error.code == .permissionDenied)
    guard case .notFound(let text)? = await problem(open, "x.Y") else {
      Issue.record("x.Y was found")
      return
    }
    #expect(text.contains("x.Y"))
  }
}
