import Foundation
import ProtobufWire
import RPCCodeGenerator
import Testing

@Suite("Generated services", .enabled(if: Protoc.isAvailable))
struct GeneratedServiceTests {
  private static let file = """
    syntax = "proto3";
    package shop.v1;
    option swift_prefix = "";
    import "rpc/v1/options.proto";
    message Question {}
    message Answer {}
    // Answers.
    service Shop {
      // Once.
      rpc AskOnce(Question) returns (Answer) {
        option idempotency_level = NO_SIDE_EFFECTS;
        option (rpc.v1.carries_credentials) = true;
      }
      rpc Plain(Question) returns (Answer);
      rpc Watch(Question) returns (stream Answer);
      rpc Upload(stream Question) returns (Answer);
      rpc Talk(stream Question) returns (stream Answer) { option idempotency_level = IDEMPOTENT; }
    }
    """

  @Test("A unary method has a requirement, a registration, a descriptor and a stub")
  func unary() async throws {
    let source = try #require(try await Protoc.generate(Self.file).source)
    #expect(source.contains("import RPC\n"))
    #expect(source.contains("/// Answers.\npublic protocol Shop: RPCService {"))
    #expect(
      source.contains(
        """
          /// Once.
          func askOnce(
            _ request: Question, context: ServerContext
          ) async throws -> Answer
        """))
    #expect(source.contains("registry.unary(ShopMethods.askOnce) {"))
    #expect(
      source.contains(
        """
          public static let askOnce = MethodDescriptor(
            service: "shop.v1.Shop", method: "AskOnce",
            shape: .unary, idempotency: .noSideEffects, carriesCredentials: true)
        """))
    #expect(
      source.contains(
        """
          public func askOnce(
            _ request: Question, options: CallOptions = CallOptions()
          ) async throws(RPCError) -> Answer {
            try await invoker.unary(ShopMethods.askOnce, request, options: options)
          }
        """))
    #expect(source.contains("shape: .unary, idempotency: .unknown, carriesCredentials: false)"))
  }

  @Test("A streaming method has a requirement, a registration, a descriptor and a stub")
  func streaming() async throws {
    let source = try #require(try await Protoc.generate(Self.file).source)
    #expect(source.contains("shape: .serverStreaming, idempotency: .unknown"))
    #expect(source.contains("shape: .clientStreaming, idempotency: .unknown"))
    #expect(source.contains("shape: .bidirectional, idempotency: .idempotent"))
    #expect(source.contains("methods: [askOnce, plain, watch, upload, talk],"))
    for name in ["watch", "upload", "talk"] {
      #expect(!source.contains("registry.unary(ShopMethods.\(name))"))
    }
  }

  @Test(
    "A server implements streaming methods with a stream in, a writer out, or both",
    arguments: [
      """
        func watch(
          _ request: Question,
          responses: ResponseWriter<Answer>,
          context: ServerContext
        ) async throws

      """,
      """
        func upload(
          _ requests: RequestStream<Question>, context: ServerContext
        ) async throws -> Answer

      """,
      """
        func talk(
          _ requests: RequestStream<Question>,
          responses: ResponseWriter<Answer>,
          context: ServerContext
        ) async throws

      """,
      """
          registry.serverStreaming(ShopMethods.watch) {
            (request: Question, responses: ResponseWriter<Answer>, context) in
            try await self.watch(request, responses: responses, context: context)
          }
      """,
      """
          registry.clientStreaming(ShopMethods.upload) {
            (requests: RequestStream<Question>, context) in
            try await self.upload(requests, context: context)
          }
      """,
      """
          registry.bidirectional(ShopMethods.talk) {
            (requests: RequestStream<Question>, responses: ResponseWriter<Answer>, context) in
            try await self.talk(requests, responses: responses, context: context)
          }
      """,
    ])
  func streamingServer(part: String) async throws {
    let source = try #require(try await Protoc.generate(Self.file).source)
    #expect(source.contains(part))
  }

  @Test(
    "A stub of a streaming method gives back the call",
    arguments: [
      """
        public func watch(
          _ request: Question, options: CallOptions = CallOptions()
        ) -> ResponseStream<Answer> {
          invoker.serverStreaming(ShopMethods.watch, request, options: options)
        }
      """,
      """
        public func upload(
          options: CallOptions = CallOptions()
        ) -> ClientStreamingCall<Question, Answer> {
          invoker.clientStreaming(ShopMethods.upload, options: options)
        }
      """,
      """
        public func talk(
          options: CallOptions = CallOptions()
        ) -> BidirectionalCall<Question, Answer> {
          invoker.bidirectional(ShopMethods.talk, options: options)
        }
      """,
    ])
  func streamingClient(part: String) async throws {
    let source = try #require(try await Protoc.generate(Self.file).source)
    #expect(source.contains(part))
  }

  @Test("Services can be left out, for a module without the runtime")
  func withoutServices() async throws {
    let source = try #require(
      try await Protoc.generate(Self.file, options: "services=false").source)
    #expect(source.contains("struct Question"))
    #expect(!source.contains("import RPC\n"))
    #expect(!source.contains("protocol Shop"))
  }

  @Test("A request that is none is an error, not a trap")
  func brokenRequest() {
    #expect(throws: WireError.self) { try CodeGenerator.respond(to: [0x7a, 0x05, 0x01]) }
    #expect(throws: Never.self) { try CodeGenerator.respond(to: []) }
  }
}
