import ConformanceMessages
import ProtobufReflection
import ProtobufWire
import Testing

@Suite("Definitions as text")
struct PrintingTests {
  @Test(
    "Every kind of symbol has one",
    arguments: [
      ("test.v1.Tree.left", "a field", "// In memory of its own.\n.test.v1.Tree left = 2;\n"),
      ("test.v1.Tree.named", "a field", "map<string, .test.v1.Tree> named = 4;\n"),
      (
        "test.v1.Tree.other", "a oneof",
        "oneof other {\n  .test.v1.Tree branch = 5;\n\n  int32 leaf = 6;\n}\n"
      ),
      ("test.v1.COLOUR_VERT", "a value of an enumeration", "COLOUR_VERT = 2;\n"),
      ("test.v1.Names.TYPE_3D", "a value of an enumeration", "TYPE_3D = 4;\n"),
      ("test.v1.Names.String", "a message", "message String {\n  string text = 1;\n}\n"),
      ("test.v1.UnpackedLists.bools", "a field", "repeated bool bools = 13 [packed = false];\n"),
      ("test.v1.Optionals.a_bool", "a field", "optional bool a_bool = 13;\n"),
      (
        "test.v1.OlderScalars", "a message",
        "// An older version of `Scalars`: most fields are unknown to it.\n"
          + "message OlderScalars {\n  int32 an_int32 = 3;\n}\n"
      ),
    ])
  func symbols(symbol: String, kind: String, definition: String) throws {
    let described = try #require(Schema.kinds.describe(symbol))
    #expect(described.kind == kind)
    #expect(described.definition == definition)
    #expect(described.text == "\(symbol) is \(kind):\n\(definition)")
  }

  @Test("An enumeration is printed with its options")
  func enumeration() throws {
    let text = try #require(Schema.kinds.describe("test.v1.Colour")).definition
    #expect(
      text.hasPrefix(
        """
        // With a negative number, and two names for one.
        enum Colour {
          option allow_alias = true;

          COLOUR_UNSPECIFIED = 0;

          COLOUR_RED = 1;

        """))
  }

  @Test("What isn't there has none", arguments: ["", "test.v1", "test.v1.Nothing", ".", "Tree"])
  func nothing(symbol: String) {
    #expect(Schema.kinds.describe(symbol) == nil)
  }
}
