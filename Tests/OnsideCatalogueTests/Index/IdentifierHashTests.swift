import Testing

@testable import OnsideCatalogue

@Suite struct IdentifierHashTests {
  static let hash = IdentifierHash(first: 0x1234_5678_9ABC_DEF1, second: 0xFEDC_BA98_7654_3211)

  static func screen(_ text: [UInt8]) -> (hash: UInt64, isPlain: Bool) {
    text.withUnsafeBytes { $0.baseAddress.map { hash.screen($0, text.count) } ?? (0, true) }
  }

  @Test func everyByteAndTheLengthCount() {
    for length in 1...70 {
      let text = [UInt8](repeating: 0x61, count: length)
      var hashes: Set = [Self.screen(text).hash, Self.screen(text + [0x61]).hash]
      for offset in 0..<length {
        var other = text
        other[offset] = 0x62
        hashes.insert(Self.screen(other).hash)
      }
      #expect(hashes.count == length + 2)
    }
  }

  @Test func isPlainExactlyForVisibleASCII() {
    for length in 1...40 {
      for value in UInt8.min...UInt8.max {
        var text = [UInt8](repeating: 0x7E, count: length)
        text[.random(in: 0..<length)] = value
        #expect(Self.screen(text).isPlain == (0x20..<0x7F).contains(value))
      }
    }
  }

  /// Neighbouring names are spread over the places of an index, and over the bits of its slots.
  @Test func spreadsNumberedNames() {
    let catalogue = LargeCatalogue()
    var places = [Int](repeating: 0, count: 1_000)
    var tags = [Int](repeating: 0, count: 1_000)
    for index in 0..<50_000 {
      let hash = Self.screen(Array(catalogue.identifier(index).utf8)).hash
      places[ProductIndex.start(hash, capacity: 1_000)] += 1
      tags[Int(hash & 0x3F_FFFF) % 1_000] += 1
    }
    // 50 expected in each: six standard deviations either way.
    #expect(places.allSatisfy { (8...100).contains($0) })
    #expect(tags.allSatisfy { (8...100).contains($0) })
  }

  @Test func otherKeysGiveOtherHashes() {
    let other = IdentifierHash(first: 3, second: 5)
    let same = (0..<1_000).count { index in
      let text = Array("identifier.\(index)".utf8)
      return text.withUnsafeBytes { other.hash($0) } == Self.screen(text).hash
    }
    #expect(same == 0)
  }
}
