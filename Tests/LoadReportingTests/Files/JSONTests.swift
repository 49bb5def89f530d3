import Testing

@testable import LoadReporting

@Suite struct JSONTests {
  @Test func writesInOrderWithIndentation() {
    let value = JSONValue.members([
      "b": .integer(1), "a": .array([.null, .boolean(true), .text("x\"\\\n\u{1}\u{7F}é")]),
      "empty": .array([]), "none": .members([:]), "d": .decimal(1.23456), "n": .decimal(.nan),
    ])
    let expected =
      #"{"b":1,"a":[null,true,"x\"\\\n\u0001\u007fé"],"empty":[],"none":{},"d":1.235,"n":null}"#
    #expect(value.compact() == expected)
    #expect(
      JSONValue.members(["a": .array([.integer(1)]), "e": .array([])]).indented()
        == "{\n  \"a\": [1],\n  \"e\": []\n}\n")
    #expect(JSONValue.array([.null, .integer(1)]).indented() == "[\n  null,\n  1\n]\n")
  }

  @Test(arguments: [
    (0.0, 3, "0"), (1, 3, "1"), (1.5, 0, "2"), (-0.0004, 3, "0"), (-1.25, 2, "-1.25"),
    (0.001, 3, "0.001"), (123_456.789, 1, "123456.8"), (0.1 + 0.2, 6, "0.3"), (9.999, 2, "10"),
  ])
  func decimalsAreRounded(_ value: Double, _ places: Int, _ text: String) {
    #expect(rounded(value, places: places) == text)
  }

  @Test func readsWhatItWrites() throws {
    let value = JSONValue.members([
      "text": .string("a\"b\\c/d\u{8}\u{C}\n\r\t\u{1F600}\u{2028}"),
      "numbers": .array([
        .number("-0"), .number("12.50"), .number("1e-7"), .number("0.0"),
      ]), "nested": .members(["x": .members(["y": .null])]),
    ])
    #expect(try JSONValue(parsing: value.compact()) == value)
    #expect(try JSONValue(parsing: value.indented()) == value)
  }

  @Test func readsEscapes() throws {
    #expect(
      try JSONValue(parsing: #" "\u0041\ud83d\ude00\/\"" "#) == .string("A\u{1F600}/\""))
  }

  @Test func pathsLeadToValues() throws {
    let value = try JSONValue(parsing: #"{"a": {"b": [1, "x"]}, "s": "t"}"#)
    #expect(value["a", "b"]?.elements?.first?.double == 1)
    #expect(value["s"]?.string == "t")
    #expect(value["a", "c"] == nil)
    #expect(value["s", "t"] == nil)
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "01", "-", "1.", "1e", "+1", ".5",
    "nul", "truefalse", "1 2", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
    "\"\\udc00\"", "\"a\nb\"", "{\"a\":1,\"a\":2}", "[1", "{\"a\":1", "[\"\\", "\"\\u+123\"", "NaN",
  ])
  func mistakesAreRefused(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func mistakesHaveAPlace() {
    #expect(throws: JSONError(line: 2, column: 8, reason: "expected a value")) {
      try JSONValue(parsing: "{\n  \"a\": x}")
    }
  }

  @Test func depthIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
  }
}
