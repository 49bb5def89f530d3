import LoadReporting

extension LoadPlan {
  /// What the report says about the scenario's own options.
  var scenarioMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("service_time", .string(serviceTime.rawValue))
    ]
    if scenario == .productFilter, let unsupportedShare {
      members.append(.init("unsupported_share", .decimal(unsupportedShare)))
    }
    if scenario.needsKnownUsers, let zipf { members.append(.init("zipf", .decimal(zipf))) }
    if scenario == .purchase || scenario == .journey {
      members.append(.init("repeat_share", .decimal(repeatShare)))
    }
    if scenario == .journey, let stepPause {
      members.append(.init("step_pause_min_seconds", .decimal(Double(stepPause.lowerBound) / 1e9)))
      members.append(.init("step_pause_max_seconds", .decimal(Double(stepPause.upperBound) / 1e9)))
    }
    if scenario == .storm { members.append(.init("burst", .integer(burst))) }
    if scenario == .watch { members.append(.init("watchers", .integer(watchers))) }
    return members
  }

  /// Connections that each place on a connection may have open at one time, at most.
  var connectionsPerSlot: Int {
    let bursts = parts.indices.map(plan(ofPart:)).filter { $0.scenario == .storm }.map(\.burst)
    return bursts.max().map { $0 * slotsPerConnection } ?? 1
  }
}
