import Testing

@testable import OnsideServices

@Suite("base64url")
struct Base64URLTests {
  private let codec = Base64URL()

  private func encode(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: Base64URL.encodedCount(bytes.count))
    let count = bytes.withUnsafeBytes { bytes in
      text.withUnsafeMutableBytes { codec.encode(bytes, to: $0) }
    }
    return String(decoding: text[..<count], as: UTF8.self)
  }

  private func decode(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: text.utf8.count)
    let count = Array(text.utf8).withUnsafeBytes { text in
      bytes.withUnsafeMutableBytes { codec.decode(text, to: $0) }
    }
    return count.map { Array(bytes[..<$0]) }
  }

  // The vectors of RFC 4648 section 10, without padding, and the two characters of section 5.
  @Test(
    "Known texts",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"), (">>>???", "Pj4-Pz8_"),
    ])
  func knownTexts(plain: String, text: String) {
    #expect(encode(Array(plain.utf8)) == text)
    #expect(decode(text) == Array(plain.utf8))
  }

  @Test("All bytes at all lengths come back")
  func comesBack() {
    for length in 0..<70 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
      #expect(decode(encode(bytes)) == bytes)
    }
  }

  @Test(
    "Other texts are refused",
    arguments: [
      "A", "AAAAA", "Zh", "Zm9", "Zm9vYh", "Zg==", "Zg=", "Z+8v", "Z/8v", "Zm 9", "Zm9\n",
    ])
  func refuses(text: String) {
    #expect(decode(text) == nil)
  }

  @Test("Only the 64 characters are accepted, in each position")
  func acceptsAlphabetOnly() {
    for position in 0..<4 {
      let accepted = (UInt8.min...UInt8.max).filter { character in
        var text = Array("AAAA".utf8)
        text[position] = character
        var bytes = [UInt8](repeating: 0, count: 3)
        return text.withUnsafeBytes { text in
          bytes.withUnsafeMutableBytes { codec.decode(text, to: $0) }
        } != nil
      }
      #expect(accepted.count == 64)
    }
  }
}
