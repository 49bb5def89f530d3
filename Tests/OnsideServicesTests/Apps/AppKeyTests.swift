import Testing

@testable import OnsideServices

@Suite("App keys")
struct AppKeyTests {
  @Test("A key has 256 random bits behind its prefix, and no two are the same")
  func random() throws {
    let keys = try (0..<64).map { _ in try AppKey.random() }
    #expect(Set(keys.map(\.text)).count == 64)
    for key in keys {
      #expect(key.text.hasPrefix("oak_"))
      #expect(key.text.utf8.count == 4 + Base64URL.encodedCount(32))
      #expect(AppKey.matches(Array(key.text.utf8), [AppKey.hash(Array(key.text.utf8))]))
    }
  }

  @Test("The hash is SHA-256 over the text, as any other tool computes it")
  func hash() {
    // FIPS 180-4's example for "abc".
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(AppKey(text: "abc").hash == expected)
    #expect(Hexadecimal.text(AppKey.hash(Array("abc".utf8))) == expected)
  }

  @Test("Any of an app's keys is right; one bit more or less is wrong")
  func matches() throws {
    let (first, second) = (try AppKey.random(), try AppKey.random())
    let hashes = [first, second].map { AppKey.hash(Array($0.text.utf8)) }
    #expect(AppKey.matches(Array(second.text.utf8), hashes))
    var wrong = Array(second.text.utf8)
    wrong[20] ^= 1
    #expect(!AppKey.matches(wrong, hashes))
    #expect(!AppKey.matches(Array(second.text.utf8.dropLast()), hashes))
    #expect(!AppKey.matches([], hashes))
    #expect(!AppKey.matches([UInt8](repeating: 65, count: 4_096), hashes))
    #expect(!AppKey.matches(Array(second.text.utf8), []))
  }
}
