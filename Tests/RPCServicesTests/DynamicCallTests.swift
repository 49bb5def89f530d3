import ProtobufReflection
import ProtobufWire
import RPC
import RPCProto
import RPCServices
import Testing

@Suite("Calls of methods without generated code", .timeLimit(.minutes(1)))
struct DynamicCallTests {
  /// A service of all four shapes: each request's service name comes back as a response.
  private static let service = "test.Shapes"

  private func transport() throws -> InProcessTransport {
    typealias Request = RPCHealthCheckRequest
    var registry = MethodRegistry()
    registry.add(HealthService(services: []), authorization: HealthService.rules)
    @Sendable func mark(_ context: ServerContext) throws {
      var (initial, trailing) = (Metadata(), Metadata())
      try initial.add("before", "a")
      try trailing.add("behind", binary: [1, 2])
      context.initialMetadata = initial
      context.trailingMetadata = trailing
    }
    try registry.addReflection(authorization: .anyone)
    func method(_ name: String, _ shape: CallShape) -> MethodDescriptor {
      let method = MethodDescriptor(service: Self.service, method: name, shape: shape)
      registry.authorize(method, .anyone)
      return method
    }
    registry.unary(method("Once", .unary)) { (request: Request, context: ServerContext) in
      try mark(context)
      return request
    }
    registry.serverStreaming(method("Twice", .serverStreaming)) {
      (request: Request, responses: ResponseWriter<Request>, context: ServerContext) in
      try mark(context)
      for _ in 0..<2 { try await responses.send(request) }
    }
    registry.clientStreaming(method("Join", .clientStreaming)) {
      (requests: RequestStream<Request>, context: ServerContext) in
      try mark(context)
      var joined = ""
      for try await request in requests { joined += request.service }
      return Request(service: joined)
    }
    registry.bidirectional(method("Echo", .bidirectional)) {
      (
        requests: RequestStream<Request>, responses: ResponseWriter<Request>,
        context: ServerContext
      ) in
      try mark(context)
      for try await request in requests {
        if request.service == "stop" { throw RPCError(.aborted, "stopped") }
        if request.service == "end" { return }
        try await responses.send(request)
      }
    }
    return try InProcessTransport(registry)
  }

  /// The descriptor of the service, made by hand: no `.proto` file defines it.
  private func method(_ name: String) throws -> ServiceMethod {
    func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
      [number << 3 | 2, UInt8(content.count)] + content
    }
    let type =
      field(2, Array(".rpc.v1.HealthCheckRequest".utf8))
      + field(3, Array(".rpc.v1.HealthCheckRequest".utf8))
    let shapes: [(String, [UInt8])] = [
      ("Once", []), ("Twice", [0x30, 1]), ("Join", [0x28, 1]), ("Echo", [0x28, 1, 0x30, 1]),
    ]
    var service = field(1, Array("Shapes".utf8))
    for (name, flags) in shapes {
      service += field(2, field(1, Array(name.utf8)) + type + flags)
    }
    // Longer than a length of one byte.
    let size = service.count
    let file =
      field(1, Array("shapes.proto".utf8)) + field(2, Array("test".utf8))
      + [0x32, UInt8(size & 0x7f) | 0x80, UInt8(size >> 7)] + service
    let pool = try DescriptorPool(
      serializedFiles: [ProtoFile.rpcV1Health.descriptor, file])
    return try #require(pool.service(named: Self.service)?.method(named: name))
  }

  /// Gives requests with these names, then what `last` throws.
  private actor Source {
    private var names: [String]
    private let last: (any Error)?
    private let type: MessageType

    init(_ names: [String], of type: MessageType, then last: (any Error)? = nil) {
      self.names = names.reversed()
      self.type = type
      self.last = last
    }

    func next() throws -> DynamicMessage? {
      guard let name = names.popLast() else {
        if let last { throw last }
        return nil
      }
      var message = DynamicMessage(type)
      message["service"] = .single(.string(name))
      return message
    }
  }

  private func run(
    _ name: String, _ requests: [String], then last: (any Error)? = nil
  ) async throws -> [String] {
    let method = try method(name)
    let source = Source(requests, of: method.input, then: last)
    var responses: [String] = []
    try await DynamicCall(of: method, over: try transport()).run {
      try await source.next()
    } onResponse: { response in
      if case .single(.string(let text))? = response["service"] { responses.append(text) }
    }
    return responses
  }

  @Test("Each shape sends what it is given and hands out what comes")
  func shapes() async throws {
    #expect(try await run("Once", ["a"]) == ["a"])
    #expect(try await run("Once", []) == [])
    #expect(try await run("Twice", ["a"]) == ["a", "a"])
    #expect(try await run("Join", ["a", "b", "c"]) == ["abc"])
    #expect(try await run("Join", []) == [])
    #expect(try await run("Echo", ["a", "b"]) == ["a", "b"])
    let many = (0..<500).map { "request \($0)" }
    #expect(try await run("Echo", many) == many)
  }

  @Test(
    "Metadata comes before the responses and behind them",
    arguments: ["Once", "Twice", "Join", "Echo"])
  func metadata(name: String) async throws {
    let method = try method(name)
    let source = Source(["a"], of: method.input)
    var (initial, responses) = (nil as Metadata?, 0)
    let trailing = try await DynamicCall(of: method, over: try transport()).run {
      try await source.next()
    } onMetadata: { metadata in
      #expect(responses == 0)
      initial = metadata
    } onResponse: { _ in
      responses += 1
    }
    #expect(initial?.first("before") == "a" && responses > 0)
    #expect(trailing.firstBinary("behind") == [1, 2])
  }

  @Test("A method with one request takes one", arguments: ["Once", "Twice"])
  func tooMany(name: String) async throws {
    await #expect(throws: DynamicCall.TooManyRequests.self) { try await run(name, ["a", "b"]) }
  }

  private struct NoRequest: Error {}

  @Test("What the requests throw ends the call and is thrown", arguments: ["Once", "Join", "Echo"])
  func failingRequests(name: String) async throws {
    await #expect(throws: NoRequest.self) { try await run(name, [], then: NoRequest()) }
  }

  @Test("The call's end counts, whatever is left to send")
  func earlyEnd() async throws {
    let error = await #expect(throws: RPCError.self) {
      try await run("Echo", ["a", "stop"] + (0..<2_000).map { "\($0)" })
    }
    #expect(error?.code == .aborted)
    #expect(try await run("Echo", ["a", "end"] + (0..<2_000).map { "\($0)" }) == ["a"])
  }

  @Test("JSON in, JSON out, with nothing known but the method's name")
  func json() async throws {
    let transport = try transport()
    let name = try #require(MethodName("rpc.v1.Health/Check"))
    let pool = try await ServerSchema(transport).pool(defining: name.service)
    let method = try #require(pool.service(named: name.service)?.method(named: name.method))
    var texts: [String] = []
    try await DynamicCall(of: method, over: transport).run {
      nil
    } onResponse: { response in
      texts.append(try response.json())
    }
    #expect(texts == ["{\n  \"status\": \"SERVING_STATUS_SERVING\"\n}"])
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
