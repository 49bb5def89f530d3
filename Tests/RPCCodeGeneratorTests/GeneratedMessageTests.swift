import Testing

@Suite("Generated messages and enumerations", .enabled(if: Protoc.isAvailable))
struct GeneratedMessageTests {
  @Test("Comments become doc comments; a field without one shows its declaration")
  func comments() async throws {
    let source = try #require(
      try await Protoc.generate(
        """
        syntax = "proto3";
        // A thing.
        //
        // With a second paragraph.
        message Thing {
          // Its name.
          string name = 1;
          repeated int32 sizes = 2;  // Behind the field.
          optional bool round = 3;
        }
        """
      ).source)
    #expect(source.contains("/// A thing.\n///\n/// With a second paragraph.\npublic struct Thing"))
    #expect(source.contains("  /// Its name.\n  public var name: String = \"\""))
    #expect(source.contains("  /// Behind the field.\n  public var sizes: [Int32] = []"))
    #expect(source.contains("  /// `optional bool round = 3`.\n  public var round: Bool? = nil"))
  }

  @Test("Top-level types begin with the package's name, or with swift_prefix")
  func prefixes() async throws {
    let file =
      "syntax = \"proto3\"; package shop.v1; message Item { Item other = 1; } enum E { A = 0; }"
    let packaged = try #require(try await Protoc.generate(file).source)
    #expect(packaged.contains("public struct Shop_V1_Item: Message, Hashable"))
    #expect(packaged.contains("public struct Shop_V1_E: OpenEnum"))
    let empty = file.replacing(
      "message", with: "option swift_prefix = \"\"; message", maxReplacements: 1)
    #expect(try await Protoc.generate(empty).source?.contains("public struct Item:") == true)
    let short = file.replacing(
      "message", with: "option swift_prefix = \"SX\"; message", maxReplacements: 1)
    #expect(try await Protoc.generate(short).source?.contains("public struct SXItem:") == true)
  }

  @Test("Only fields that can hold their own message are boxed")
  func recursion() async throws {
    let source = try #require(
      try await Protoc.generate(
        """
        syntax = "proto3";
        message A { B b = 1; C c = 2; }
        message B { oneof x { A a = 1; C c = 2; } }
        message C { repeated A many = 1; map<string, A> named = 2; }
        """
      ).source)
    #expect(source.contains("private var _b: Indirect<B>?"))
    #expect(source.contains("public var c: C? = nil"))
    #expect(source.contains("indirect case a(A)"))
    #expect(source.contains("    case c(C)"))
    #expect(source.contains("public var many: [A] = []"))
  }

  @Test("The visibility and imports of a file can be chosen")
  func options() async throws {
    let file = "syntax = \"proto3\"; message M { int32 a = 1; } enum E { E_X = 0; }"
    let internalSource = try #require(
      try await Protoc.generate(file, options: "visibility=internal,import=Other").source)
    #expect(internalSource.contains("import Other\nimport ProtobufWire\n"))
    #expect(internalSource.contains("internal struct M"))
    #expect(!internalSource.contains("public"))
    #expect(!internalSource.contains("@inlinable"))
  }

  @Test("A file without types makes no code unless it is wanted for reflection")
  func nothing() async throws {
    let file = "syntax = \"proto3\";"
    #expect(try await Protoc.generate(file).source?.contains("ProtoFile(") == true)
    let result = try await Protoc.generate(file, options: "descriptors=false")
    #expect(result.source == nil)
    #expect(result.errors == "")
  }

  @Test(
    "What can't be generated is refused with the file and the reason",
    arguments: [
      ("syntax = \"proto2\"; message M {}", "", "sample.proto: syntax proto2: only proto3"),
      ("message M {}", "", "sample.proto: syntax proto2: only proto3"),
      ("syntax = \"proto3\"; message M {}", "visibility=secret", "option \"visibility=secret\""),
      ("syntax = \"proto3\"; message M {}", "fast", "option \"fast\": expected NAME=VALUE"),
    ])
  func refusals(file: String, options: String, reason: String) async throws {
    let result = try await Protoc.generate(file, options: options)
    #expect(result.source == nil)
    #expect(result.errors.contains(reason))
  }
}
