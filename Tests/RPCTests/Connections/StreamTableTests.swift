import TestSupport
import RPC
import Testing

@Suite struct StreamTableTests {
  private final class Box {
    let number: UInt32
    init(_ number: UInt32) { self.number = number }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func behavesLikeADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = StreamTable<Box>()
    var model: [UInt32: Box] = [:]
    for _ in 0..<2_000 {
      let stream = UInt32.random(in: 1...200, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0 where model[stream] == nil:
        let box = Box(stream)
        model[stream] = box
        table.insert(box, at: stream)
      case 1:
        #expect(table.remove(stream) === model.removeValue(forKey: stream))
      default:
        #expect(table[stream] === model[stream])
      }
      #expect(table.count == model.count)
    }
    #expect(Set(table.values.map(\.number)) == Set(model.keys))
    #expect(Set(table.removeAll().map(\.number)) == Set(model.keys))
    #expect(table.isEmpty)
    #expect(table[1] == nil)
  }

  @Test func widelySpacedStreamsAreFound() {
    var table = StreamTable<Box>()
    let streams = (0..<100).map { UInt32($0) << 24 | 1 }
    for stream in streams { table.insert(Box(stream), at: stream) }
    for stream in streams { #expect(table[stream]?.number == stream) }
  }
}
