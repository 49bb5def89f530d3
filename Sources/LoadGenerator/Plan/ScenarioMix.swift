import LoadReporting

/// Which scenario a call is of, where a load mixes several by weight. It follows from the seed and
/// the call's number alone, whichever event loop makes it.
struct ScenarioMix: Sendable {
  /// The upper ends of the scenarios' shares of 0..<1, in order.
  private let ends: [Double]
  private let seed: UInt64

  init(weights: [Double], seed: UInt64) {
    let sum = weights.reduce(0, +)
    var reached = 0.0
    ends = weights.map { weight in
      reached += weight
      return reached / sum
    }
    self.seed = seed
  }

  /// How many there are.
  var count: Int { ends.count }

  /// The scenario's place in the mix.
  @inline(__always)
  func part(ofCall number: UInt64) -> Int {
    guard ends.count > 1 else { return 0 }
    var random = SeededRandom(seed: seed, stream: number)
    let share = Double(random.next() >> 11) * 0x1p-53
    return ends.firstIndex { share < $0 } ?? ends.count - 1
  }
}
