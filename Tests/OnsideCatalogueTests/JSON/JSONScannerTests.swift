import Testing

@testable import OnsideCatalogue

@Suite struct JSONScannerTests {
  /// Reads one value as a whole document, and returns it as text that shows its structure.
  static func read(_ text: String) throws(CatalogueProblem) -> String {
    try read(Array(text.utf8))
  }

  static func read(_ bytes: [UInt8]) throws(CatalogueProblem) -> String {
    var bytes = bytes
    var span = bytes.mutableSpan
    return try span.withUnsafeMutableBytes { buffer throws(CatalogueProblem) in
      var scanner = JSONScanner(buffer)
      let node = try JSONNode(&scanner)
      try scanner.finish()
      return show(node)
    }
  }

  static func show(_ node: JSONNode) -> String {
    switch node.value {
    case .object(let members):
      "{" + members.map { "\($0.key)=\(show($0.node))" }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(show).joined(separator: ",") + "]"
    case .string(let text): "'\(text)'"
    case .number(let text): text
    case .boolean(let value): "\(value)"
    case .null: "null"
    }
  }

  @Test(arguments: [
    ("{}", "{}"), ("[]", "[]"),
    (" [ 1 , -2.5e+3 , true , false , null ] ", "[1,-2.5e+3,true,false,null]"),
    ("{\"a\":{\"b\":[\"c\"]},\"a\":0}", "{a={b=['c']},a=0}"), ("0", "0"), ("\"\"", "''"),
    ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "'\"\\/\u{8}\u{C}\n\r\t'"),
    ("\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00x\"", "'Aé€😀x'"),
    ("\"plain é€😀 text\"", "'plain é€😀 text'"),
    ("\u{FEFF}[1]", "[1]"), ("[\r\n\t1\r\n]", "[1]"),
  ])
  func reads(text: String, expected: String) throws {
    #expect(try Self.read(text) == expected)
  }

  @Test(arguments: [
    ("", "1:1: expected a JSON value, found the end"),
    ("[1,]", "1:4: expected a JSON value, found \"]\""),
    ("[1 2]", "1:4: expected \",\" or \"]\", found \"2\""),
    ("{\"a\" 1}", "1:6: expected \":\", found \"1\""),
    ("{a:1}", "1:2: expected a key, found \"a\""), ("[1]]", "1:4: expected the end, found \"]\""),
    ("{\n\n  \"a\": x}", "3:8: expected a JSON value, found \"x\""),
    ("01", "1:3: malformed number"),
    ("-", "1:2: malformed number"), ("1.", "1:3: malformed number"),
    ("1e", "1:3: malformed number"),
    ("tru", "1:1: expected true or false, found \"t\""), ("nul", "1:1: expected null, found \"n\""),
    ("\"abc", "1:5: the string doesn't end"), ("\"a\\", "1:3: the string doesn't end"),
    ("\"a\nb\"", "1:3: control character in a string: write it as an escape"),
    ("\"a\\x\"", "1:3: unknown escape in a string"),
    ("\"\\u12g4\"", "1:2: malformed \\u escape in a string"),
    ("\"\\ud83d\"", "1:2: malformed \\u escape in a string"),
    ("\"\\ud83d\\u0041\"", "1:2: malformed \\u escape in a string"),
    ("\"\\ude00\"", "1:2: malformed \\u escape in a string"),
    ("{\"a\":1", "1:7: expected \",\" or \"}\", found the end"),
  ])
  func refuses(text: String, expected: String) {
    let problem = #expect(throws: CatalogueProblem.self) { try Self.read(text) }
    let place = problem?.position.map { "\($0.line):\($0.column): " } ?? ""
    #expect(place + (problem?.reason ?? "") == expected)
    #expect(problem?.code == .malformed)
  }

  @Test(arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func refusesStringsThatAreNotUTF8(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let problem = #expect(throws: CatalogueProblem.self) {
      try Self.read([quote, 0x61] + bytes + [quote])
    }
    #expect(problem?.reason == "the string isn't UTF-8")
    #expect(problem?.position?.column == 3)
  }

  @Test func limitsHowDeepValuesAre() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try Self.read(nested(JSONScanner.maximumDepth))
    for depth in [JSONScanner.maximumDepth + 1, 100_000] {
      #expect(throws: CatalogueProblem.self) { try Self.read(nested(depth)) }
      #expect(throws: CatalogueProblem.self) {
        try Self.read(String(repeating: "{\"a\":", count: depth))
      }
    }
  }

  @Test func skipsWholeValues() throws {
    var bytes = Array("[{\"a\":[1,{\"b\":\"\\n\"}],\"c\":null},true,-1.5,\"x\"]7".utf8)
    var span = bytes.mutableSpan
    try span.withUnsafeMutableBytes { buffer throws(CatalogueProblem) in
      var scanner = JSONScanner(buffer)
      try scanner.skipValue()
      let rest = try scanner.number()
      #expect(scanner.text(rest) == "7")
      try scanner.finish()
    }
  }

  /// Whatever bytes come, reading ends with a value or an error.
  @Test func survivesDamagedDocuments() {
    let text = Array("{\"a\":[1.5,\"\\u00e9\\ud83d\\ude00\",true,null],\"b\":{\"c\":-0.5e3}}".utf8)
    var refused = 0
    for _ in 0..<5_000 {
      var bytes = Array(text.prefix(.random(in: 0...text.count)))
      for _ in 0..<Int.random(in: 0...2) where !bytes.isEmpty {
        bytes[.random(in: bytes.indices)] = .random(in: 0...255)
      }
      do { _ = try Self.read(bytes) } catch { refused += 1 }
    }
    #expect(refused > 1_000)
  }
}
