import ProtobufReflection
import Testing

@Suite("Mistakes in JSON")
struct JSONErrorTests {
  /// What is wrong with a text, as people read it; nil: nothing.
  private func mistake(
    _ text: String, as type: MessageType, options: JSONReadingOptions = JSONReadingOptions()
  ) -> String? {
    do {
      _ = try DynamicMessage(json: text, as: type, options: options)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "A mistake in the text is told with its line and column",
    arguments: [
      ("", "line 1, column 1: the text ends too early"),
      ("{", "line 1, column 2: expected a name in double quotes"),
      ("{\n  \"anInt32\": 1,\n}", "line 3, column 1: expected a name in double quotes"),
      ("{\"anInt32\" 1}", "line 1, column 12: expected a colon"),
      ("{\"aString\": \"Zoë 🎈\" 1}", "line 1, column 21: expected a comma or the end"),
      ("{\"anInt32\": 01}", "line 1, column 13: not a number"),
      ("{\"anInt32\": +1}", "line 1, column 13: expected a value"),
      ("{\"anInt32\": 1.}", "line 1, column 13: not a number"),
      ("{\"anInt32\": 1} {}", "line 1, column 16: expected the end of the text"),
      ("{\"aBool\": True}", "line 1, column 11: expected a value"),
      ("{\"aString\": \"a", "line 1, column 13: the string has no end"),
      ("{\"aString\": \"\\x\"}", "line 1, column 14: unknown escape"),
      ("{\"aString\": \"\\ud83d\"}", "line 1, column 14: half of a surrogate pair"),
      ("{\"aString\": \"\\ude00\"}", "line 1, column 14: half of a surrogate pair"),
      ("{\"aString\": \"\\u12\"}", "line 1, column 14: \\u needs four digits"),
      ("{\"aString\": \"a\tb\"}", "line 1, column 15: a control character has to be written"),
      (
        "{\"aBool\": true, \"aBool\": true}", "line 1, column 17: the name \"aBool\" is there twice"
      ),
      ("// comment\n{}", "line 1, column 1: expected a value"),
    ])
  func syntax(text: String, expected: String) throws {
    let told = try #require(mistake(text, as: Schema.kind("Scalars")))
    #expect(told.hasPrefix(expected), "\(told)")
  }

  @Test(
    "A value that doesn't fit is told with its field, and what fits",
    arguments: [
      ("Scalars", "[]", "expected an object for test.v1.Scalars, not an array"),
      ("Scalars", "{\"anInt32\": 2147483648}", "anInt32: expected an integer within -2147483648"),
      ("Scalars", "{\"an_int32\": \"x\"}", "an_int32: expected an integer within"),
      ("Scalars", "{\"anInt32\": 1.5}", "not 1.5"),
      (
        "Scalars", "{\"aUint64\": -1}",
        "aUint64: expected an integer within 0...18446744073709551615"
      ),
      ("Scalars", "{\"aUint64\": 1e30}", "not 1e30"),
      ("Scalars", "{\"aFloat\": 1e39}", "aFloat: expected a number within a float's range"),
      ("Scalars", "{\"aDouble\": \"inf\"}", "aDouble: expected a number, \"NaN\", \"Infinity\""),
      ("Scalars", "{\"aBool\": \"true\"}", "aBool: expected true or false, not \"true\""),
      ("Scalars", "{\"someBytes\": \"a*==\"}", "someBytes: expected base64 in a string"),
      ("Scalars", "{\"colour\": \"BLEU\"}", "colour: test.v1.Colour has no value \"BLEU\"; it has"),
      ("Scalars", "{\"abool\": true}", "has no field \"abool\"; did you mean \"aBool\"?"),
      ("Scalars", "{\"nothing\": 1}", "has no field \"nothing\"; it has aDouble, aFloat,"),
      ("Scalars", "{\"aBool\": true, \"a_bool\": true}", "the field \"a_bool\" is there twice"),
      ("Lists", "{\"trees\": [{}, {\"label\": 5}]}", "trees[1].label: expected a string, not 5"),
      ("Lists", "{\"bools\": true}", "bools: expected an array, not a bool"),
      ("Lists", "{\"bools\": [null]}", "bools[0]: null is no element of a list or map"),
      ("Maps", "{\"byInt32\": {\"a\": 1}}", "byInt32[\"a\"]: expected an integer within"),
      ("Maps", "{\"byBool\": {\"1\": \"\"}}", "byBool[\"1\"]: expected \"true\" or \"false\""),
      ("Maps", "{\"byInt32\": {\"1\": 1, \"1.0\": 2}}", "the key \"1.0\" is there twice"),
      ("Tree", "{\"leaf\": 1, \"branch\": {}}", "\"branch\" and \"leaf\" exclude each other"),
    ])
  func values(type: String, text: String, expected: String) throws {
    let told = try #require(mistake(text, as: Schema.kind(type)))
    #expect(told.contains(expected), "\(told)")
  }

  @Test(
    "Well-known types say what they look like",
    arguments: [
      ("Timestamp", "\"2023-02-29T00:00:00Z\"", "expected a time such as"),
      ("Timestamp", "\"2024-02-29 00:00:00Z\"", "expected a time such as"),
      ("Timestamp", "\"0001-01-01T00:00:00+00:01\"", "expected a time such as"),
      ("Timestamp", "5", "expected a time such as"),
      ("Duration", "\"1\"", "expected seconds such as"),
      ("Duration", "\"1.0000000001s\"", "expected seconds such as"),
      ("Duration", "\"315576000001s\"", "expected seconds such as"),
      ("FieldMask", "\"a_b\"", "capitals, not underscores"),
      ("Any", "{\"value\": 1}", "\"@type\" is missing"),
      ("Any", "{\"@type\": \"x/none.Such\"}", "the type \"x/none.Such\" isn't known"),
      ("Any", "{\"@type\": \"x/google.protobuf.Duration\"}", "has one member, \"value\""),
      ("Struct", "[]", "expected an object, not an array"),
      ("ListValue", "{}", "expected an array, not an object"),
      ("Value", "1e999", "beyond a double's range"),
    ])
  func wellKnown(type: String, text: String, expected: String) throws {
    let told = try #require(mistake(text, as: Schema.wellKnown(type)))
    #expect(told.contains(expected), "\(told)")
  }

  @Test("100 objects in each other are read, 101 are not, and neither are 101 messages in an Any")
  func depth() throws {
    func tree(_ count: Int) -> String {
      String(repeating: "{\"left\":", count: count - 1) + "{}"
        + String(repeating: "}", count: count - 1)
    }
    #expect(mistake(tree(100), as: Schema.kind("Tree")) == nil)
    #expect(mistake(tree(101), as: Schema.kind("Tree"))?.contains("limit of 100") == true)
    let array = String(repeating: "[", count: 100_000)
    #expect(mistake(array, as: Schema.wellKnown("Value"))?.contains("limit of 100") == true)
    var options = JSONReadingOptions()
    options.maximumDepth = 5
    #expect(mistake(tree(6), as: Schema.kind("Tree"), options: options)?.contains("5") == true)
  }

  @Test("Lines are counted from where the text begins")
  func firstLine() throws {
    var options = JSONReadingOptions()
    options.firstLine = 7
    let told = mistake("{\n!", as: Schema.kind("Tree"), options: options)
    #expect(told == "line 8, column 1: expected a name in double quotes")
  }

  @Test("Unknown names are skipped where that is asked for")
  func unknown() throws {
    var options = JSONReadingOptions()
    options.ignoresUnknownFields = true
    let message = try DynamicMessage(
      json: "{\"nothing\": [{}], \"colour\": \"NONE\", \"anInt32\": 3}", as: Schema.kind("Scalars"),
      options: options)
    #expect(message.serialized() == [0x18, 3])
  }
}
