import LoadReporting

/// Which user comes next in one lane.
struct UserTurn {
  private var next: UInt64
  private let step: UInt64
  private let known: UInt64?
  private let ranks: ZipfSampler?
  private var random: SeededRandom

  /// - Parameters:
  ///   - lane: of `lanes`; each has users of its own until they come round.
  ///   - known: how many users there are; nil: each is new.
  ///   - zipf: known users aren't taken in turn, but drawn by Zipf's law with this exponent, the
  ///     first one most often; nil: in turn.
  ///   - seed: of what is drawn.
  init(lane: Int, of lanes: Int, known: Int?, zipf: Double? = nil, seed: UInt64 = 0) {
    next = UInt64(lane)
    step = UInt64(lanes)
    self.known = known.map { UInt64($0) }
    ranks = known.flatMap { known in
      zipf.map { ZipfSampler(count: UInt64(known), exponent: $0) }
    }
    random = SeededRandom(seed: seed, stream: 0x21BF_0000 ^ UInt64(lane))
  }

  mutating func take() -> UInt64 {
    if let ranks { return ranks.draw(&random) - 1 }
    defer { next &+= step }
    guard let known else { return next }
    return next % known
  }
}

/// A lane's turn among the users, shared by its slots.
final class SharedTurn {
  @exclusivity(unchecked) var turn: UserTurn

  init(_ turn: UserTurn) {
    self.turn = turn
  }
}
