import OnsideDomain
import Testing

@Suite struct EscapingTests {
  @Test(arguments: [
    ("plain", "\"plain\""), ("", "\"\""), ("a\"b\\", "\"a\\\"b\\\\\""),
    ("\u{1B}[31m", "\"\\u{1B}[31m\""),
    ("\r\n", "\"\\u{D}\\u{A}\""), ("é商", "\"é商\""),
    ("\u{85}\u{2028}\u{200B}", "\"\\u{85}\\u{2028}\\u{200B}\""),
  ])
  func quotes(text: String, expected: String) {
    #expect(Escaping.quoted(text) == expected)
  }

  @Test func showsBytesThatAreNotUTF8() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x0F, 0xC3]
    #expect(bytes.withUnsafeBytes { Escaping.quoted($0) } == "\"a\\xFF\\u{F}\\xC3\"")
  }

  @Test func cutsWhatIsLong() {
    let text = Escaping.quoted(String(repeating: "é", count: 5_000))
    #expect(text == "\"" + String(repeating: "é", count: 80) + "\"… (10000 bytes)")
  }
}
