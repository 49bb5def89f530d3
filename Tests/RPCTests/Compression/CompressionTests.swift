import CZlib
import RPC
import Testing

@Suite struct CompressionTests {
  private func inflate(
    _ bytes: [UInt8], limit: Int = 4 << 20
  ) throws(CompressionError) -> [UInt8] {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(CompressionError) in
      let message = try Inflater(messageLimit: limit).inflate(bytes)
      return Array(message.bytes)
    }
  }

  private func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { Deflater().deflate($0) }
  }

  /// Text of few letters in no order: about half as large when it is deflated.
  private func text(_ count: Int) -> [UInt8] {
    var state: UInt64 = 7
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 60) % 8 + 65
    }
  }

  @Test(arguments: [100, 1000, 100_000, 4 << 20])
  func whatIsDeflatedInflates(count: Int) throws {
    let message = text(count)
    let deflated = try #require(deflate(message))
    #expect(deflated.count < message.count)
    #expect(try inflate(deflated) == message)
  }

  @Test func whatDoesNotGetSmallerIsLeftAlone() {
    #expect(deflate([]) == nil)
    #expect(deflate([1]) == nil)
    var state: UInt64 = 1
    let noise = (0..<1000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    #expect(deflate(noise) == nil)
  }

  @Test func theLimitIsExact() throws {
    let deflated = try #require(deflate(text(10_000)))
    #expect(try inflate(deflated, limit: 10_000).count == 10_000)
    #expect(throws: CompressionError.tooLarge(limit: 9_999)) {
      try inflate(deflated, limit: 9_999)
    }
  }

  @Test func aBombStopsAtTheLimitOrTheRatio() throws {
    let bomb = try #require(deflate([UInt8](repeating: 0, count: 3 << 20)))
    #expect(bomb.count < 20_000)
    #expect(throws: CompressionError.suspiciousRatio(limit: 100)) { try inflate(bomb) }
    #expect(throws: CompressionError.tooLarge(limit: 1 << 20)) {
      try inflate(bomb, limit: 1 << 20)
    }
    // Below a MiB of output any ratio is honest.
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    #expect(try inflate(try #require(deflate(zeros))) == zeros)
  }

  @Test func everyCutIsTruncatedOrCorrupt() throws {
    let deflated = try #require(deflate(text(500)))
    for count in 0..<deflated.count {
      #expect(throws: CompressionError.truncated) { try inflate(Array(deflated.prefix(count))) }
    }
  }

  @Test func corruptBytesAreRefused() throws {
    var deflated = try #require(deflate(text(5000)))
    #expect(throws: CompressionError.corrupt) { try inflate([1, 2, 3, 4]) }
    deflated[deflated.count - 1] ^= 1  // The checksum.
    #expect(throws: CompressionError.corrupt) { try inflate(deflated) }
  }

  @Test func whatFollowsTheStreamIsRefused() throws {
    let deflated = try #require(deflate(text(500)))
    #expect(throws: CompressionError.trailingBytes(1)) { try inflate(deflated + [0]) }
    #expect(throws: CompressionError.trailingBytes(deflated.count)) {
      try inflate(deflated + deflated)
    }
  }
}
