/// FNV-1a over what makes a list, so that a place in it isn't taken for one in another.
struct ListChecksum {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}

/// Words as 16 hexadecimal digits each, in lower case.
enum Hexadecimal64 {
  static func text(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }

  /// The words of a text; nil for any other text.
  static func words(_ text: Substring) -> [UInt64]? {
    let digits = text.utf8
    guard digits.count.isMultiple(of: 16), digits.allSatisfy(isDigit) else { return nil }
    var words: [UInt64] = []
    var start = digits.startIndex
    while start < digits.endIndex {
      let end = digits.index(start, offsetBy: 16)
      guard let word = UInt64(text[start..<end], radix: 16) else { return nil }
      words.append(word)
      start = end
    }
    return words
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
