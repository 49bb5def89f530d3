// How a plan's rates are asked for.

extension LoadPlan {
  /// The ways to say at what rate calls come. One of the first four is given for an open loop.
  public struct Rates: Sendable {
    /// Calls per second, all the time.
    public var constant: Double?

    /// Calls per second at the beginning and at the end.
    public var ramp: (from: Double, to: Double)?

    /// Calls per second, one after the other.
    public var steps: [Double] = []

    /// Parts with a rate and a duration each.
    public var stages: [LoadStage] = []

    /// How long each of the steps is.
    public var stepDuration: Duration?

    /// How long a constant rate or a ramp lasts; nil: 10 s, or until ``calls`` are made.
    public var duration: Duration?

    /// How many calls are made at most.
    public var calls: Int?

    /// A closed loop.
    public init() {}
  }

  /// Makes the plan's stages and its duration from what was asked for.
  ///
  /// - Throws: ``PlanError`` if that contradicts itself.
  public mutating func set(_ rates: Rates) throws(PlanError) {
    let given =
      [
        ("--rate", rates.constant != nil), ("--ramp", rates.ramp != nil),
        ("--steps", !rates.steps.isEmpty), ("--stage", !rates.stages.isEmpty),
      ].filter(\.1).map(\.0)
    if given.count > 1 {
      throw PlanError("\(given.joined(separator: " and ")) exclude each other: give one of them")
    }
    if rates.stepDuration != nil, rates.steps.isEmpty {
      throw PlanError("--step-duration is for --steps: give the steps, or leave it out")
    }
    if rates.duration != nil, let name = given.first, name == "--steps" || name == "--stage" {
      throw PlanError("--duration: the parts of \(name) say how long the run is; leave it out")
    }
    stages = try LoadPlan.stages(rates)
    guard isOpenLoop else { return }
    duration = stages.reduce(.zero) { $0 + $1.duration }
    callLimit = rates.calls
  }

  private static func stages(_ rates: Rates) throws(PlanError) -> [LoadStage] {
    if !rates.stages.isEmpty { return rates.stages }
    var stages: [LoadStage] = []
    for rate in rates.steps {
      stages.append(try LoadStage(rate: rate, duration: rates.stepDuration ?? .seconds(10)))
    }
    if let rate = rates.constant {
      var length = rates.duration ?? .seconds(10)
      // A part of a second more, so that the last of so many calls is in the plan.
      if let calls = rates.calls, rates.duration == nil {
        length = .seconds(Double(calls) / rate + 1 / rate)
      }
      stages.append(try LoadStage(rate: rate, duration: length))
    }
    if let ramp = rates.ramp {
      let length = rates.duration ?? .seconds(10)
      stages.append(try LoadStage(from: ramp.from, to: ramp.to, duration: length))
    }
    return stages
  }
}
