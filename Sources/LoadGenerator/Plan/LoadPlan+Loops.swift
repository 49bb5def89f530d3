public import LoadReporting

// Open and closed loops, and the parts of a mix.

extension LoadPlan {
  /// The most calls that an open loop may plan.
  static let mostPlannedCalls = 1e9

  /// Whether calls begin when the plan says so, however long the others take.
  public var isOpenLoop: Bool { !stages.isEmpty }

  /// The scenarios with their weights: at least one.
  public var parts: [MixPart] {
    mix.isEmpty ? [MixPart(scenario)] : mix
  }

  /// Which scenario a call is of, among those without clients of their own.
  var scenarioMix: ScenarioMix {
    ScenarioMix(
      weights: parts.filter { $0.clients == nil }.map(\.weight),
      seed: (scheduleSeed ?? seed) ^ 0x5CE2_A210)
  }

  /// As in the report: "session-return", or "session-return 3 + product-filter 1".
  public var title: String {
    guard mix.count > 1 else { return parts[0].scenario.rawValue }
    return mix.map { part in
      let share = part.clients.map { "(\($0) clients)" } ?? rounded(part.weight, places: 3)
      return "\(part.scenario.rawValue) \(share)"
    }.joined(separator: " + ")
  }

  /// The plan of one part of a mix, as if it were alone. Each part has users of its own.
  func plan(ofPart index: Int) -> LoadPlan {
    var plan = self
    let part = parts[index]
    plan.scenario = part.scenario
    plan.mix = []
    for setting in part.settings { plan.apply(setting.name, setting.value) }
    if index > 0 { plan.seed = SeededRandom.value(seed, stream: UInt64(index)) & 0xFFFF_FFFF }
    return plan
  }

  /// The warm-up goes at the rate that the first stage begins with.
  var warmupStages: [LoadStage] {
    guard let first = stages.first, first.from > 0, warmup > .zero else { return [] }
    var stage = first
    stage.to = first.from
    stage.duration = warmup
    return [stage]
  }

  /// How much is planned in the measured time, in calls; nil: a closed loop.
  var plannedCalls: Double? {
    isOpenLoop
      ? min(stages.reduce(0) { $0 + $1.calls }, callLimit.map(Double.init) ?? .infinity) : nil
  }

  /// The plan as a report has it: what is to be made, with the scenario's name.
  public func json(loops: Int) -> JSONValue {
    .object([.init("scenario", .string(title))] + members(loops: loops))
  }

  /// What keeps the plan from being carried out.
  ///
  /// - Throws: ``PlanError`` that says what to change.
  public func check() throws(PlanError) {
    // A plan may have come from another machine.
    for stage in stages {
      _ = try LoadStage(from: stage.from, to: stage.to, duration: stage.duration)
    }
    if let thinkTime { _ = try ThinkTime(thinkTime.shortest, upTo: thinkTime.longest) }
    guard slice.count >= 1, (0..<slice.count).contains(slice.index), connectionsPerClient >= 1
    else { throw PlanError("a slice or a number of connections that can't be") }
    if isOpenLoop {
      if let part = parts.first(where: { !$0.scenario.canBePaced }) {
        throw PlanError("\(part.scenario.rawValue) has no calls to pace: leave --rate out")
      }
      let calls = stages.reduce(0) { $0 + $1.calls }
      if calls > LoadPlan.mostPlannedCalls {
        throw PlanError(
          "\(Int(calls)) planned calls: at most 1000000000; lower the rate or make it shorter")
      }
      if thinkTime != nil {
        throw PlanError("--think-time is of a closed loop: leave it or --rate out")
      }
    } else if maxInFlight != nil {
      throw PlanError("--max-in-flight is of an open loop: give a --rate, or use --in-flight")
    }
    try checkParts()
    if let part = mix.first(where: { !($0.weight > 0 && $0.weight.isFinite) }) {
      throw PlanError("\(part.scenario.rawValue): a weight of \(part.weight): expected more than 0")
    }
    if mix.count > 1, let part = mix.first(where: { !$0.scenario.canBePaced }) {
      throw PlanError("\(part.scenario.rawValue) can't be mixed with other scenarios")
    }
    if let share = resumedShare, !(0...1).contains(share) {
      throw PlanError("a share of \(share) resumed connections: expected from 0 to 1")
    }
  }

  /// How it was asked for which connections resume.
  var resumeText: String {
    resumedShare.map { rounded($0, places: 6) } ?? resumption.rawValue
  }

  /// Members of the report that the plain closed loop doesn't have.
  var loopMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if isOpenLoop {
      members += [
        .init("stages", .array(stages.map(\.json))),
        .init("arrivals", .string(spacing.rawValue)),
        .init("max_in_flight", .integer(maxInFlight ?? connections * inFlight)),
        .init("overload", .string(overload.rawValue)),
      ]
    }
    if let thinkTime {
      members.append(
        .init(
          "think_time_seconds",
          .array([thinkTime.shortest, thinkTime.longest].map { .decimal($0.inSeconds) })))
    }
    if atEnd != .wait || isOpenLoop { members.append(.init("at_end", .string(atEnd.rawValue))) }
    if connectionsPerClient > 1 {
      members.append(.init("connections_per_client", .integer(connectionsPerClient)))
    }
    if let callsPerConnection {
      members.append(.init("calls_per_connection", .integer(callsPerConnection)))
      members.append(.init("resume", .string(resumeText)))
    }
    if !mix.isEmpty { members.append(.init("mix", .array(mix.map(\.json)))) }
    return members
  }
}

extension SeededRandom {
  /// One number that follows from a seed and the name of what it is for.
  static func value(_ seed: UInt64, stream: UInt64) -> UInt64 {
    var random = SeededRandom(seed: seed, stream: stream)
    return random.next()
  }
}

/// Which connections resume a TLS session, so that the share is right after each of them.
struct ResumptionTurn: Sendable {
  private let share: Double
  private var made = 0.0

  init(_ plan: LoadPlan) {
    share =
      plan.resumedShare
      ?? {
        switch plan.resumption {
        case .on: 1
        case .off: 0
        case .both: 0.5
        }
      }()
  }

  /// Whether any does.
  var isUsed: Bool { share > 0 }

  /// Whether the next connection does.
  mutating func take() -> Bool {
    defer { made += 1 }
    return ((made + 1) * share + 1e-9).rounded(.down) > (made * share + 1e-9).rounded(.down)
  }
}
