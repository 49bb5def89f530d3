import Testing

@testable import OnsideServices

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("Every byte round-trips through hexadecimal, in either case and with colons")
  func hexadecimal() {
    let all = (0...255).map { UInt8($0) }
    let text = Hexadecimal.text(all)
    #expect(text.utf8.count == 512)
    #expect(Hexadecimal.bytes(text) == all)
    #expect(Hexadecimal.bytes(text.uppercased()) == all)
    #expect(Hexadecimal.bytes("AB:cd:09") == [0xAB, 0xCD, 0x09])
  }

  @Test(
    "What isn't pairs of hexadecimal digits is refused",
    arguments: ["0", "0g", "a:b", ":aa", "aa bb"])
  func badHexadecimal(_ text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }
}
