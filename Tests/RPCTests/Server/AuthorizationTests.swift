import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct AuthorizationTests {
  @Test func aMethodWithoutARuleKeepsTheServerFromStartingAndIsNamed() throws {
    var registry = MethodRegistry()
    registry.add(EchoHandlers(), authorization: [EchoServiceMethods.echo: .anyone])
    let group = try EventLoopGroup(loops: 1)
    let error = #expect(throws: RegistrationError.self) { try Server(registry, group: group) }
    #expect(error?.code == .missingAuthorization)
    let unruled = EchoServiceMethods.descriptor.methods.dropFirst().map(\.path)
    #expect(error?.methods == unruled)
    #expect(error.map { "\($0)".contains("test.echo.v1.EchoService/Wait") } == true)
    #expect(throws: RegistrationError.self) { try InProcessTransport(registry) }
  }

  @Test func otherMistakesAreFoundAtTheStart() {
    var twice = EchoServer.registry(EchoHandlers())
    twice.add(EchoHandlers())
    #expect(throws: RegistrationError.self) { try InProcessTransport(twice) }
    var unknown = EchoServer.registry(EchoHandlers())
    unknown.authorize(MethodDescriptor(service: "no", method: "Where", shape: .unary), .anyone)
    let error = #expect(throws: RegistrationError.self) { try InProcessTransport(unknown) }
    #expect(error?.methods == ["no/Where"])
    var streaming = EchoServer.registry(EchoHandlers())
    streaming.immediate(EchoServiceMethods.chat) { (_, _, _) throws(RPCError) in .needsTask }
    let refusal = #expect(throws: RegistrationError.self) { try InProcessTransport(streaming) }
    #expect(refusal?.code == .streamingImmediate)
  }

  /// Lets in who knows the word, and says who that is.
  private static let word = AuthorizationRule("word") { context throws(RPCError) in
    guard let word = context.metadata.first("word") else {
      throw RPCError(.unauthenticated, "no word")
    }
    guard word == "friend" else { throw RPCError(.permissionDenied, "not '\(word)'") }
    return Principal(name: word)
  }

  private struct Principal: Sendable { var name: String }

  /// What a call with this word fails with.
  private static func refusal(
    of method: MethodDescriptor, word: String?, _ client: RPCClient
  ) async -> RPCError? {
    var options = CallOptions()
    if let word { try? options.metadata.add("word", word) }
    do throws(RPCError) {
      let _: EchoMessage = try await client.unary(method, EchoMessage(), options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test func theRuleRunsBeforeEitherHandlerAndNamesTheCaller() async throws {
    let seen = Locked<[String?]>([])
    let method = MethodDescriptor(service: "test", method: "Guarded", shape: .unary)
    func register(_ registry: inout MethodRegistry) {
      registry.unary(method) { (request: EchoMessage, context) in
        seen.withLock { $0.append((context.principal as? Principal)?.name) }
        return request
      }
      registry.authorize(method, Self.word)
      registry.authorize(EchoServiceMethods.secret, Self.word)
      registry.immediate(EchoServiceMethods.secret) {
        (request, context, sink) throws(RPCError) in
        seen.withLock { $0.append((context.principal as? Principal)?.name) }
        sink.write(EchoMessage())
        return .answered
      }
    }
    try await withServer(register: register) { server in
      let client = try server.client()
      for target in [method, EchoServiceMethods.secret] {
        for (word, code) in [(nil, 16), ("enemy", 7)] as [(String?, UInt32)] {
          let error = await Self.refusal(of: target, word: word, client)
          #expect(error?.code.rawValue == code)
        }
        #expect(seen.current.isEmpty)
        var options = CallOptions()
        try options.metadata.add("word", "friend")
        let _: EchoMessage = try await client.unary(target, EchoMessage(), options: options)
        #expect(seen.current == ["friend"])
        seen.withLock { $0 = [] }
      }
    }
  }

  @Test func theClientsCertificateIsKnownToTheRule() async throws {
    let subjects = Locked<[String?]>([])
    let rule = AuthorizationRule("certificate") { context throws(RPCError) in
      subjects.withLock { $0.append(context.peer.certificate?.subject) }
      return nil
    }
    try await withServer(
      clientCA: true, register: { $0.authorize(EchoServiceMethods.echo, rule) }
    ) { server in
      _ = try await EchoServiceClient(try server.client()).echo(EchoMessage())
      _ = try await EchoServiceClient(try server.client(certificate: true)).echo(EchoMessage())
      #expect(subjects.current.count == 2)
      #expect(subjects.current.first == .some(nil))
      #expect(subjects.current.last??.contains("CN=") == true)
    }
  }
}
