import OnsideDomain
import Testing

@Suite struct IdentifierRuleTests {
  static let rule = IdentifierRule.productIdentifier

  static func problem(_ bytes: [UInt8]) -> InvalidIdentifier.Problem? {
    bytes.withUnsafeBytes { rule.problem($0) }
  }

  @Test(arguments: [
    "a", "com.example.shop.item.1", "remove-ads", " ", "商品", "é", "👩‍👩‍👧", "\u{A0}", "\u{10FFFF}",
    String(repeating: "x", count: 255), String(repeating: "é", count: 127),
  ])
  func accepts(value: String) throws {
    try Self.rule.validate(value)
  }

  @Test func refusesAnEmptyOne() {
    #expect(Self.problem([]) == .empty)
  }

  @Test(arguments: [
    IdentifierRule.appID, .externalUserID, .productIdentifier, .storefrontID, .idempotencyKey,
    .paymentToken, .appAccountToken,
  ])
  func refusesOneByteTooMany(rule: IdentifierRule) throws {
    let limit = rule.maximumBytes
    try rule.validate(String(repeating: "x", count: limit))
    let error = #expect(throws: InvalidIdentifier.self) {
      try rule.validate(String(repeating: "x", count: limit + 1))
    }
    #expect(error?.problem == .tooLong(bytes: limit + 1, limit: limit))
    #expect(error?.description.contains("the limit is \(limit)") == true)
    // Bytes are counted, not characters.
    #expect(throws: InvalidIdentifier.self) {
      try rule.validate(String(repeating: "é", count: limit / 2 + 1))
    }
  }

  @Test func refusesEveryControlCharacterAndNoOther() throws {
    for value in UInt32(0)...0x200 {
      let scalar = try #require(Unicode.Scalar(value))
      let text = "ab" + String(scalar) + "cdefghijk"
      let isControl = value < 0x20 || value >= 0x7F && value <= 0x9F
      let problem = Self.problem(Array(text.utf8))
      #expect(problem == (isControl ? .controlCharacter(scalar, offset: 2) : nil))
    }
  }

  @Test(
    arguments: [
      [0x61, 0x80], [0x61, 0xC3], [0x61, 0xC0, 0x80], [0x61, 0xC1, 0xBF], [0x61, 0xE0, 0x80, 0x80],
      [0x61, 0xED, 0xA0, 0x80], [0x61, 0xF4, 0x90, 0x80, 0x80], [0x61, 0xF5, 0x80, 0x80, 0x80],
      [0x61, 0xFF], [0x61, 0xE2, 0x82], [0x61, 0xF0, 0x9F, 0x98], [0x61, 0xC3, 0x28],
    ] as [[UInt8]])
  func refusesWhatIsNotUTF8(bytes: [UInt8]) {
    #expect(Self.problem(bytes) == .invalidUTF8(offset: 1))
  }

  @Test func agreesWithTheStandardLibraryAboutUTF8() {
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 1...6)).map { _ in UInt8.random(in: 0x60...0xFF) }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      switch Self.problem(bytes) {
      case .invalidUTF8: #expect(!isValid, "\(bytes)")
      // A control character before anything that isn't UTF-8.
      case .controlCharacter: continue
      default: #expect(isValid, "\(bytes)")
      }
    }
  }

  @Test func anAppAccountTokenIsAnyText() throws {
    for value in ["", "\n", "\u{0}", "not-a-uuid", "{\"user\":1}"] {
      try IdentifierRule.appAccountToken.validate(value)
    }
  }

  @Test func namesFieldPositionAndValue() {
    let error = #expect(throws: InvalidIdentifier.self) {
      try Self.rule.validate("a\nb\u{202E}c", position: 7)
    }
    #expect(
      error?.description
        == "product identifier at position 7 has the control character U+000A at byte 1: "
        + "\"a\\u{A}b\\u{202E}c\"")
  }
}
