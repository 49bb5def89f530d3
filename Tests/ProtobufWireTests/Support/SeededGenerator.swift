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

  /// `ONSIDE_SEED`, to repeat a run, else a seed that never changes.
  static var testSeed: UInt64 {
    ProcessInfo.processInfo.environment["ONSIDE_SEED"].flatMap { UInt64($0) } ?? 20_240_229
  }
}
