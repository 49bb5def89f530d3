import ConformanceMessages
import ProtobufReflection
import ProtobufWire
import Testing

@Suite("The JSON form of messages")
struct JSONFormTests {
  private func message(_ text: String, _ type: String) throws -> DynamicMessage {
    try DynamicMessage(json: text, as: Schema.kind(type))
  }

  private func line(_ message: DynamicMessage) throws -> String {
    var options = JSONWritingOptions()
    options.isIndented = false
    return try message.json(options: options)
  }

  @Test("A message that is read has the bytes that generated code writes")
  func generatedCode() throws {
    let text = """
      {"aDouble": -1.5, "an_int64": "-9223372036854775808", "aUint64": 18446744073709551615,
       "aSint32": "-1", "aString": "Zo\\u00eb \\ud83c\\udf88", "someBytes": "AP-A",
       "colour": "COLOUR_INFRARED", "aFloat": "Infinity", "aBool": true, "anInt32": 1e3}
      """
    let expected = Scalars(
      aDouble: -1.5, aFloat: .infinity, anInt32: 1_000, anInt64: .min, aUint64: .max, aSint32: -1,
      aBool: true, aString: "Zoë 🎈", someBytes: [0, 255, 128], colour: .infrared)
    #expect(try message(text, "Scalars").serialized() == expected.serialized())
  }

  @Test("64-bit numbers are strings and lose nothing")
  func integers() throws {
    let edges = Scalars(anInt64: .max, aUint64: .max, aFixed64: 9_007_199_254_740_993)
    let read = try DynamicMessage(serialized: edges.serialized(), as: Schema.kind("Scalars"))
    let text = try line(read)
    #expect(
      text == #"{"anInt64":"9223372036854775807","aUint64":"18446744073709551615","#
        + #""aFixed64":"9007199254740993"}"#)
    #expect(try message(text, "Scalars") == read)
  }

  @Test(
    "An integer may be written with a fraction of zeros or an exponent",
    arguments: [
      ("9007199254740993.0", 9_007_199_254_740_993), ("9.223372036854775807e18", .max),
      ("-922337203685477580.8e1", .min), ("10e-1", 1), ("0e999999999999", 0), ("-0", 0),
      ("0.000e-5", 0),
    ] as [(String, Int64)])
  func exactIntegers(text: String, value: Int64) throws {
    let read = try message("{\"anInt64\": \(text)}", "Scalars")
    #expect(read["an_int64"] == (value == 0 ? nil : .single(.int64(value))))
  }

  @Test("Names, enumerations, defaults and layout are as the options say")
  func options() throws {
    let read = try message(#"{"anInt32": 1, "colour": "COLOUR_RED"}"#, "Scalars")
    var options = JSONWritingOptions()
    options.usesSchemaNames = true
    options.writesEnumNumbers = true
    let red = Colour.red.rawValue
    #expect(try read.json(options: options) == "{\n  \"an_int32\": 1,\n  \"colour\": \(red)\n}")
    options.includesDefaults = true
    options.isIndented = false
    let all = try DynamicMessage(Schema.kind("Lists")).json(options: options)
    #expect(all.hasPrefix(#"{"doubles":[],"floats":[],"#))
    #expect(try DynamicMessage(Schema.kind("Optionals")).json(options: options) == "{}")
  }

  @Test(
    "The shortest text of a float reads as the same float, at the edges too",
    arguments: [.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, -0.0, 16_777_216])
  func floats(value: Float) throws {
    var written = DynamicMessage(Schema.kind("Scalars"))
    written["a_float"] = .single(.float(value))
    let read = try DynamicMessage(json: try line(written), as: Schema.kind("Scalars"))
    #expect(read.serialized() == written.serialized())
  }

  @Test("null is the absence of a value, and of a oneof's member too")
  func null() throws {
    let read = try message(
      #"{"label": null, "children": null, "leaf": null, "branch": {}}"#, "Tree")
    #expect(try line(read) == #"{"branch":{}}"#)
  }

  @Test("Maps are in the order of their keys, whatever those are")
  func maps() throws {
    let text =
      #"{"byInt32":{"-1":0.5,"2":1,"10":2},"byBool":{"false":"no","true":"yes"},"#
      + #""byString":{"":{},"a":{"label":"x"}}}"#
    #expect(try line(try message(text, "Maps")) == text)
  }

  @Test("An Any shows its message, and its bytes where the type isn't known and that is asked for")
  func any() throws {
    let type = Schema.wellKnown("Any")
    let text = #"{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.500s"}"#
    #expect(try line(try DynamicMessage(json: text, as: type)) == text)
    var unknown = DynamicMessage(type)
    unknown[1] = .single(.string("x/none.Such"))
    unknown[2] = .single(.bytes([1, 2]))
    #expect(throws: JSONError.self) { try unknown.json() }
    var options = JSONWritingOptions()
    options.showsUnknownAny = true
    options.isIndented = false
    #expect(try unknown.json(options: options) == #"{"@type":"x/none.Such","@value":"AQI="}"#)
  }

  @Test("An Any in an Any in an Any … is refused before the stack is used up")
  func deepAny() throws {
    let type = Schema.wellKnown("Any")
    var bytes: [UInt8] = []
    for _ in 0..<2_000 {
      var any = DynamicMessage(type)
      any[1] = .single(.string("x/google.protobuf.Any"))
      any[2] = .single(.bytes(bytes))
      bytes = any.serialized()
    }
    let deep = try DynamicMessage(serialized: bytes, as: type)
    #expect(throws: JSONError.self) { try deep.json() }
  }

  @Test("Text is escaped as JSON demands, and so are the line ends that JavaScript has beside")
  func escapes() throws {
    let read = try message(#"{"aString": "\"\\\/\b\f\n\r\t\u0001\u2028"}"#, "Scalars")
    #expect(read["aString"] == .single(.string("\"\\/\u{8}\u{c}\n\r\t\u{1}\u{2028}")))
    #expect(try line(read) == #"{"aString":"\"\\/\b\f\n\r\t\u0001\u2028"}"#)
  }
}
