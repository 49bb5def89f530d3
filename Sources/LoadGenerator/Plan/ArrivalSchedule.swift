import Glibc
import LoadReporting

/// When the calls of an open loop are to begin: a plan that knows nothing of how they end.
///
/// A value: the instants follow from the stages and the seed alone.
public struct ArrivalSchedule: Sendable {
  /// How the calls are spread in time.
  public enum Spacing: String, Sendable, CaseIterable, Codable {
    /// At even distances: of a constant rate R in N seconds exactly ⌊R·N⌋ calls, the first at once.
    case constant

    /// At random, as from many users who know nothing of each other (a Poisson process).
    case poisson
  }

  private let stages: [LoadStage]
  private let spacing: Spacing
  private let total: Double
  private let length: UInt64
  private var random: SeededRandom

  /// The stage of the present call, and what comes before it.
  private var stage = 0
  private var callsBefore = 0.0
  private var secondsBefore = 0.0

  /// How many calls were asked for up to the next one.
  private var position = 0.0
  private var previous: UInt64 = 0

  /// A schedule of stages, one after the other.
  public init(_ stages: [LoadStage], _ spacing: Spacing, seed: UInt64) {
    self.init(stages, spacing, random: SeededRandom(seed: seed))
  }

  init(_ stages: [LoadStage], _ spacing: Spacing, random: SeededRandom) {
    self.stages = stages
    self.spacing = spacing
    self.random = random
    total = stages.reduce(0) { $0 + $1.calls }
    length = stages.reduce(0) { $0 &+ $1.duration.inNanoseconds }
    if spacing == .poisson { position = nextGap() }
  }

  /// How long it is, in nanoseconds.
  var nanoseconds: UInt64 { length }

  /// The planned start of the next call, in nanoseconds since the beginning; nil: there is none
  /// left. Never less than the one before, and always less than the schedule's length.
  public mutating func next() -> UInt64? {
    guard !isOver else { return nil }
    while stage < stages.count - 1, position >= callsBefore + stages[stage].calls {
      callsBefore += stages[stage].calls
      secondsBefore += stages[stage].duration.inSeconds
      stage += 1
    }
    let seconds = secondsBefore + stages[stage].seconds(untilCalls: position - callsBefore)
    let instant = min(max(previous, UInt64((max(0, seconds) * 1e9).rounded())), length &- 1)
    previous = instant
    position += spacing == .constant ? 1 : nextGap()
    return instant
  }

  /// A call whose share of the rate isn't there in full isn't made; 29 % of 100 s are 29 calls,
  /// whatever the product is in binary.
  private var isOver: Bool {
    guard length > 0 else { return true }
    let allowance = 1e-9 + total * 1e-12
    return spacing == .constant ? position + 1 > total + allowance : position >= total
  }

  /// Until the next event of a process with one event per unit.
  private mutating func nextGap() -> Double {
    // In (0, 1], so that the logarithm is finite.
    let uniform = (Double(random.next() >> 11) + 1) * 0x1p-53
    return -log(uniform)
  }
}
