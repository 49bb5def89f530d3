import Testing

@testable import OnsideServices

@Suite("Nonces")
struct NonceSequenceTests {
  private func nonces(_ count: Int, _ sequence: inout NonceSequence) -> [[UInt8]] {
    var random = RandomBlock()
    defer { random.deallocate() }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 1)
    defer { bytes.deallocate() }
    return (0..<count).map { _ in
      #expect(sequence.next(from: &random, to: bytes, at: 0))
      return Array(bytes)
    }
  }

  @Test("They share random bytes and count up behind them")
  func counts() {
    var sequence = NonceSequence()
    let made = nonces(300, &sequence)
    #expect(Set(made.map { Array($0[..<8]) }).count == 1)
    #expect(made.map { Int($0[10]) << 8 | Int($0[11]) } == Array(1...300))
  }

  @Test("A sequence that is used up begins anew with other random bytes")
  func beginsAnew() {
    var sequence = NonceSequence(countForTesting: .max - 1)
    let made = nonces(4, &sequence)
    #expect(Set(made).count == 4)
    #expect(made[0][..<8] == made[1][..<8] || made[1][..<8] == made[2][..<8])
    #expect(made[0][..<8] != made[3][..<8])
  }

  @Test("Two sequences don't begin alike")
  func differ() {
    var one = NonceSequence()
    var other = NonceSequence()
    #expect(nonces(1, &one) != nonces(1, &other))
  }
}
