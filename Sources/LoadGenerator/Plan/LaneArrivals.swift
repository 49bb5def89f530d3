import LoadReporting

/// A call that is to be made.
struct Arrival: Sendable, Equatable {
  /// When it is to begin, on the monotonic clock in nanoseconds.
  var planned: UInt64

  /// Of which scenario of the mix it is.
  var part: Int
}

/// The calls that one event loop makes: every n-th of the run's, so that all loops together make
/// the same calls whatever their number.
struct LaneArrivals: Sendable {
  private var warmup: ArrivalSchedule
  private var measured: ArrivalSchedule
  private let begins: UInt64
  private let opens: UInt64
  private let limit: Int
  private let lane: Int
  private let lanes: Int
  private let mix: ScenarioMix
  private let slice: LoadPlan.Slice

  private var isWarm = false
  private var number = 0
  private var all: UInt64 = 0

  /// - Parameters:
  ///   - begins: when the warm-up begins, on the monotonic clock.
  ///   - opens: when the measured window opens, in which the plan's stages lie.
  init(_ plan: LoadPlan, begins: UInt64, opens: UInt64, lane: Int, of lanes: Int) {
    let random = SeededRandom(seed: plan.scheduleSeed ?? plan.seed, stream: 0xA221_7A15)
    var warmRandom = random
    _ = warmRandom.next()
    warmup = ArrivalSchedule(plan.warmupStages, plan.spacing, random: warmRandom)
    measured = ArrivalSchedule(plan.stages, plan.spacing, random: random)
    limit = plan.callLimit ?? .max
    mix = plan.scenarioMix
    slice = plan.slice
    (self.begins, self.opens, self.lane, self.lanes) = (begins, opens, lane, lanes)
  }

  /// So many calls were planned as are to be made: there are no more, whatever time is left.
  var isCutShort: Bool { number >= limit }

  /// The next of this loop's calls; nil: there is none left.
  mutating func next() -> Arrival? {
    while let planned = nextOfAll() {
      defer { all &+= 1 }
      guard isOwn else { continue }
      return Arrival(planned: planned, part: mix.part(ofCall: all))
    }
    return nil
  }

  /// First the machines take turns, then the loops of each.
  private var isOwn: Bool {
    let machines = UInt64(slice.count)
    return Int(all % machines) == slice.index && Int(all / machines % UInt64(lanes)) == lane
  }

  private mutating func nextOfAll() -> UInt64? {
    if !isWarm {
      if let instant = warmup.next() { return begins &+ instant }
      isWarm = true
    }
    guard number < limit, let instant = measured.next() else { return nil }
    number += 1
    return opens &+ instant
  }
}
