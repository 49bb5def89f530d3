import Testing

@testable import LoadGenerator

@Suite struct FingerprintLogTests {
  @Test func differentTextsHaveNoDuplicates() {
    var log = FingerprintLog()
    for number in 0..<200_000 { log.append("token-\(number)-with-some-length-to-it") }
    #expect(log.count == 200_000)
    #expect(log.duplicates() == 0)
  }

  @Test func everyRepetitionIsFound() {
    var log = FingerprintLog()
    for number in 0..<100_000 { log.append("token-\(number)") }
    log.append("token-0")
    log.append("token-77777")
    log.append("token-77777")
    #expect(log.duplicates() == 3)
  }

  @Test func repetitionsAcrossMergedLogsAreFound() {
    var first = FingerprintLog()
    var second = FingerprintLog()
    for number in 0..<70_000 { first.append("a\(number)") }
    for number in 69_999..<140_000 { second.append("a\(number)") }
    first.merge(second)
    #expect(first.count == 140_001)
    #expect(first.duplicates() == 1)
  }

  @Test func beyondTheLimitOnlyTheCountGrows() {
    var log = FingerprintLog(limit: 10)
    for _ in 0..<20 { log.append("same") }
    #expect(log.count == 20)
    #expect(log.kept == 10)
    #expect(log.duplicates() == 9)
  }

  @Test func emptyLog() {
    #expect(FingerprintLog().duplicates() == 0)
  }

  @Test func fingerprintsDependOnEveryByteAndTheLength() {
    var seen: Set<UInt64> = []
    let base = [UInt8](repeating: 0, count: 40)
    var texts = (0...40).map { Array(base[..<$0]) }
    for index in base.indices {
      for bit in 0..<8 {
        var changed = base
        changed[index] ^= 1 << UInt8(bit)
        texts.append(changed)
      }
    }
    for text in texts { seen.insert(text.withUnsafeBufferPointer(Fingerprint.of(_:))) }
    #expect(seen.count == texts.count)
  }
}
