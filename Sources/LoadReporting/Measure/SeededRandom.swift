/// Random numbers that follow from a seed (SplitMix64); fast, and not for secrets.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// A generator of its own for each part of a run, so that no part changes another's numbers.
  package init(seed: UInt64, stream: UInt64) {
    var mixer = SeededRandom(seed: seed ^ (stream &* 0xD6E8_FEB8_6659_FD93))
    state = mixer.next()
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
