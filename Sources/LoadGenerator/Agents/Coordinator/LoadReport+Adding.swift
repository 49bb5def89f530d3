import LoadReporting

extension LoadReport {
  /// Adds another agent's figures. Seconds, series, ending and agents are the whole run's.
  mutating func add(_ other: LoadReport) {
    calls.merge(other.calls)
    delivery.merge(other.delivery)
    connections.merge(other.connections)
    for step in other.steps {
      let place = place(of: step.name, in: steps.map(\.name)) { name in
        steps.append(StepFigures(name: name))
      }
      steps[place].latency.merge(step.latency)
    }
    for phase in other.phases {
      let place = place(of: phase.phase, in: phases.map(\.phase)) { name in
        phases.append(PhaseFigures(name))
      }
      phases[place].latency.merge(phase.latency)
    }
    for check in other.checks {
      if let place = checks.firstIndex(where: { $0.name == check.name }) {
        checks[place].merge(check)
      } else {
        checks.append(check)
      }
    }
    for scenario in other.scenarios { add(scenario) }
    for remark in other.remarks where !remarks.contains(remark) { remarks.append(remark) }
    for member in other.load where !load.contains(where: { $0.name == member.name }) {
      load.append(member)
    }
    client.add(other.client)
  }

  private mutating func add(_ scenario: ScenarioFigures) {
    guard let place = scenarios.firstIndex(where: { $0.name == scenario.name }) else {
      return scenarios.append(scenario)
    }
    if let clients = scenario.clients {
      scenarios[place].clients = (scenarios[place].clients ?? 0) + clients
    }
    scenarios[place].calls.merge(scenario.calls)
    for step in scenario.steps {
      if let own = scenarios[place].steps.firstIndex(where: { $0.name == step.name }) {
        scenarios[place].steps[own].latency.merge(step.latency)
      } else {
        scenarios[place].steps.append(step)
      }
    }
  }
}

/// The place of a name; one that is new is appended.
private func place<Name: Equatable>(
  of name: Name, in names: [Name], append: (Name) -> Void
) -> Int {
  if let place = names.firstIndex(of: name) { return place }
  append(name)
  return names.count
}

extension ProcessFigures {
  /// What several processes used together.
  fileprivate mutating func add(_ other: ProcessFigures) {
    cpuNanoseconds += other.cpuNanoseconds
    residentBytes = sum(residentBytes, other.residentBytes)
    peakResidentBytes = sum(peakResidentBytes, other.peakResidentBytes)
    liveBytes = sum(liveBytes, other.liveBytes)
    descriptors = sum(descriptors, other.descriptors)
    contextSwitches = sum(contextSwitches, other.contextSwitches)
    syncs = sum(syncs, other.syncs)
  }

  private func sum<Number: AdditiveArithmetic>(_ one: Number?, _ other: Number?) -> Number? {
    guard let one else { return other }
    return other.map { one + $0 } ?? one
  }
}
