import CAllocations
import ConformanceMessages
import ProtobufWire
import Testing

@Suite("Small messages that are large in memory")
struct AmplificationTests {
  private static let megabyte = 1 << 20

  /// Repetitions of one field up to a size.
  private func flood(_ unit: [UInt8], bytes: Int) -> [UInt8] {
    var flood = unit
    while flood.count * 2 <= bytes { flood += flood }
    return flood + flood.prefix((bytes - flood.count) / unit.count * unit.count)
  }

  @Test("Empty messages of 2 bytes are refused before they take 48 times their size")
  func emptyMessages() throws {
    let input = flood([0x1a, 0], bytes: Self.megabyte / 4)
    let before = callocations_bytes()
    #expect(errorCode { try Tree(serialized: input) } == .tooLarge)
    guard callocations_available() else { return }
    // An array doubles when it is full. All its sizes together are at most twice the last one,
    // which is at most twice what is in it; it and the one before are there together for a moment.
    let most = 16 * UInt64(input.count)
    #expect(callocations_bytes() - before <= 4 * most)
  }

  @Test(
    "Elements of every kind are counted",
    arguments: [
      // Field 17, 14 and 15 of `Lists`: empty messages, strings and bytes; field 13: packed bools.
      [0x8a, 0x01, 0x00], [0x72, 0x00], [0x7a, 0x00], [0x6a, 0x01, 0x01], [0x68, 0x01],
    ] as [[UInt8]])
  func everyKind(unit: [UInt8]) {
    let input = flood(unit, bytes: Self.megabyte)
    let limits = DecodingLimits(expansion: 0, minimumAllowance: 64 * 1024)
    #expect(errorCode { try Lists(serialized: input, limits: limits) } == .tooLarge)
  }

  @Test("Entries of a map are counted, those with the same key too")
  func maps() {
    let input = flood([0x1a, 0x00], bytes: Self.megabyte)
    let limits = DecodingLimits(expansion: 1, minimumAllowance: 0)
    #expect(errorCode { try Maps(serialized: input, limits: limits) } == .tooLarge)
  }

  @Test("Boxes of recursive fields are counted, in a field and in a oneof")
  func boxes() {
    let unit = field(3, field(2, field(2, []))) + field(3, field(5, field(5, [])))
    let limits = DecodingLimits(expansion: 24, minimumAllowance: 0)
    #expect(
      errorCode { try Tree(serialized: flood(unit, bytes: 1024), limits: limits) } == .tooLarge)
  }

  @Test("A packed field of 4 MiB is no amplification")
  func packedBools() throws {
    let input = field(13, [UInt8](repeating: 1, count: 4 * Self.megabyte - 8))
    #expect(try Lists(serialized: input).bools.count == 4 * Self.megabyte - 8)
  }

  @Test("A short message may take the minimum allowance, whatever it expands to")
  func minimumAllowance() throws {
    let input = flood([0x1a, 0], bytes: 2000)
    #expect(try Tree(serialized: input).children.count == 1000)
    let limits = DecodingLimits(minimumAllowance: 1000)
    #expect(errorCode { try Tree(serialized: input, limits: limits) } == .tooLarge)
  }

  @Test("A length is no reason to allocate: only bytes that are there are")
  func declaredLengths() {
    let input = hex("6a ff ff ff 7f 01")
    let before = callocations_bytes()
    #expect(errorCode { try Lists(serialized: input) } == .truncated)
    guard callocations_available() else { return }
    #expect(callocations_bytes() - before < 4096)
  }

  @Test(
    "A message field that comes many times is merged in place, not copied each time",
    arguments: [2, 5] as [UInt8])
  func repeatedMerges(number: UInt8) throws {
    let input = flood(field(number, field(3, [])), bytes: 80_000)
    let limits = DecodingLimits(expansion: 1000)
    let before = callocations_bytes()
    let tree = try Tree(serialized: input, limits: limits)
    let spent = callocations_bytes() - before
    #expect((tree.left ?? tree.branch)?.children.count == 20_000)
    guard callocations_available() else { return }
    // Copying would ask for 20,000² / 2 elements.
    #expect(spent < 40_000 * UInt64(MemoryLayout<Tree>.stride + 256))
  }

  @Test("Many short runs of a packed field grow their array as one would")
  func packedRuns() throws {
    let input = flood([0x1a, 1, 5], bytes: 60_000)
    let before = callocations_bytes()
    #expect(try Lists(serialized: input).int32s.count == 20_000)
    guard callocations_available() else { return }
    #expect(callocations_bytes() - before < 20_000 * 4 * 8)
  }
}
