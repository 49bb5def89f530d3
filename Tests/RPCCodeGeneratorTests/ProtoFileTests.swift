import ProtobufWire
import RPCCodeGenerator
import Testing

@Suite("Embedded .proto files", .enabled(if: Protoc.isAvailable))
struct ProtoFileTests {
  private static let file = """
    syntax = "proto3";
    package shop.v1;
    option swift_prefix = "";
    import "rpc/v1/options.proto";
    // Asks "how much", in \\ characters: 价格.
    message Question { string text = 1; }
    service Shop { rpc Ask(Question) returns (Question); }
    """

  @Test("A file is embedded with its comments, and its services name it")
  func embedded() async throws {
    let source = try #require(try await Protoc.generate(Self.file).source)
    #expect(source.contains("extension ProtoFile {"))
    #expect(source.contains("file: .sample)"))
    // A file of another run may be generated into another module, or into none.
    #expect(source.contains("dependencies: [],"))
    #expect(source.contains(#"Asks \"how much\""#))
    #expect(source.contains(#"in \\ characters: \u{e4}\u{bb}\u{b7}"#))
  }

  @Test("Comments and the file itself can be left out")
  func options() async throws {
    let short = try #require(try await Protoc.generate(Self.file, options: "comments=false").source)
    #expect(short.contains("static let sample = ProtoFile("))
    #expect(!short.contains("how much\\\""))
    let none = try #require(
      try await Protoc.generate(Self.file, options: "descriptors=false").source)
    #expect(!none.contains("ProtoFile"))
    #expect(none.contains("methods: [ask])"))
  }

  @Test("A file may be embedded without its messages, whatever its syntax")
  func withoutMessages() async throws {
    let old = "syntax = \"proto2\"; package old; message Old { required int32 a = 1; }"
    let source = try #require(try await Protoc.generate(old, options: "messages=false").source)
    #expect(source.contains("static let sample = ProtoFile("))
    #expect(!source.contains("struct Old"))
  }

  @Test("Each scalar of the text is a byte of the descriptor")
  func bytes() {
    let text = String(String.UnicodeScalarView((0...255).map { UnicodeScalar(UInt8($0)) }))
    #expect(ProtoFile(name: "a.proto", descriptor: text).descriptor == Array(0...255))
  }
}
