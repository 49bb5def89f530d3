import ProtobufReflection
import RPC
import RPCProto
import RPCServices
import Testing

@Suite("Calls of methods without generated code")
struct DynamicCallTests {
  private func transport() throws -> InProcessTransport {
    var registry = MethodRegistry()
    registry.add(HealthService(services: []), authorization: HealthService.rules)
    try registry.addReflection(authorization: .anyone)
    return try InProcessTransport(registry)
  }

  @Test("JSON in, JSON out, with nothing known but the method's name")
  func call() async throws {
    let transport = try transport()
    let name = try #require(MethodName("rpc.v1.Health/Check"))
    let pool = try await ServerSchema(transport).pool(defining: name.service)
    let method = try #require(pool.service(named: name.service)?.method(named: name.method))
    let request = try DynamicMessage(json: #"{"service": ""}"#, as: method.input)
    let response = try await transport.unary(method, request)
    #expect(try response.json() == "{\n  \"status\": \"SERVING_STATUS_SERVING\"\n}")
    let other = try DynamicMessage(json: #"{"service": "x"}"#, as: method.input)
    let error = await #expect(throws: RPCError.self) { try await transport.unary(method, other) }
    #expect(error?.code == .notFound)
  }

  @Test(
    "A method is named with a slash or a dot",
    arguments: [
      ("a.b.C/D", "a.b.C", "D"), ("a.b.C.D", "a.b.C", "D"), ("/a.b.C/D", "a.b.C", "D"),
      ("C/D", "C", "D"),
    ])
  func names(text: String, service: String, method: String) {
    #expect(MethodName(text)?.service == service)
    #expect(MethodName(text)?.method == method)
  }

  @Test("What names no method is none", arguments: ["", "a", "/", "a/", "/a", ".a", "a/b/c", "a."])
  func noNames(text: String) {
    #expect(MethodName(text) == nil)
  }
}
