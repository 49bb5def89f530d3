import Foundation

/// Random numbers that are the same for the same seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

/// The seeds of properties with random interleavings.
enum Seeds {
  /// `ONSIDE_SEED`, to repeat one; else from 1 to `ONSIDE_SEEDS`, or to a number that takes a few
  /// seconds.
  static func first(_ count: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["ONSIDE_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...max(1, environment["ONSIDE_SEEDS"].flatMap(UInt64.init) ?? count))
  }
}
