/// Where a run's decisions come from: a seed, or bytes that a fuzzer has chosen and, once they are
/// used up, the numbers of a fixed seed.
struct DecisionSource {
  private var generator: SeededRandom
  private var script: [UInt8]
  private var position = 0
  private let isScripted: Bool

  init(seed: UInt64) {
    generator = SeededRandom(seed: seed)
    script = []
    isScripted = false
  }

  init(script: [UInt8]) {
    generator = SeededRandom(seed: 0)
    self.script = script
    isScripted = true
  }

  /// A script was given, and every byte of it has decided something.
  var isUsedUp: Bool { isScripted && position == script.count }

  /// A number in the range. A script's bytes are taken as few as the range needs.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    guard isScripted, !isUsedUp else { return Int.random(in: range, using: &generator) }
    let width = UInt64(range.upperBound - range.lowerBound)
    var value: UInt64 = 0
    var reach: UInt64 = 0
    while reach < width {
      value = value << 8 | UInt64(nextByte())
      reach = reach << 8 | 0xFF
    }
    return range.lowerBound + Int(value % (width + 1))
  }

  private mutating func nextByte() -> UInt8 {
    guard position < script.count else { return 0 }
    position += 1
    return script[position - 1]
  }

  /// True in `percent` of 100 cases.
  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }

  /// One of the elements; nil of none.
  mutating func pick<C: RandomAccessCollection>(_ elements: C) -> C.Element? {
    guard !elements.isEmpty else { return nil }
    return elements[elements.index(elements.startIndex, offsetBy: number(0...elements.count - 1))]
  }
}
