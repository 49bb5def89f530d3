import LoadReporting

/// What the scenarios of a run found, each by itself and together.
struct RunFigures {
  /// In the order of the mix.
  let parts: [LoadLane.Figures]

  /// Together: their calls, times and connections; their steps and checks one after the other.
  let all: LoadLane.Figures

  init(_ parts: [LoadLane.Figures]) {
    self.parts = parts
    var all = LoadLane.Figures(steps: parts.flatMap(\.steps), checks: [])
    for part in parts {
      all.calls.merge(part.calls)
      all.connections.merge(part.connections)
      all.times.merge(part.times)
      all.lastAnswer = max(all.lastAnswer, part.lastAnswer)
    }
    all.calls.latencyWithErrors = all.calls.latency
    all.calls.latencyWithErrors.merge(all.times.failed)
    self.all = all
  }

  /// Each with its own calls.
  func scenarios(_ plan: LoadPlan) -> [ScenarioFigures] {
    zip(plan.parts, parts).map { part, figures in
      var scenario = ScenarioFigures(name: part.scenario.rawValue, weight: part.weight)
      scenario.clients = part.clients
      scenario.calls = figures.calls
      scenario.calls.latencyWithErrors = figures.calls.latency
      scenario.calls.latencyWithErrors.merge(figures.times.failed)
      scenario.steps = figures.steps.filter { $0.latency.count > 0 }
      return scenario
    }
  }

  /// The lanes' own checks, and the one that needs all of a scenario: nothing came twice. The same
  /// check of several scenarios is one.
  func checks(_ plan: LoadPlan, tap: RunTap? = nil) -> [CheckResult] {
    var results: [CheckResult] = []
    for (part, figures) in zip(plan.parts, parts) {
      for check in RunFigures.checks(of: part.scenario, figures, tap) {
        if let place = results.firstIndex(where: { $0.name == check.name }) {
          results[place].merge(check)
        } else {
          results.append(check)
        }
      }
    }
    return results
  }

  private static func checks(
    of scenario: LoadScenario, _ figures: LoadLane.Figures, _ tap: RunTap?
  ) -> [CheckResult] {
    guard scenario != .productFilter else { return figures.checks }
    var unique = SessionSlot.check
    if scenario.buys {
      unique = CheckResult(name: "transactions_unique", title: "transactions unique")
    }
    tap?.onFingerprints(unique.name, figures.fingerprints)
    unique.checked = figures.fingerprints.kept
    unique.violations = figures.fingerprints.duplicates()
    if unique.violations > 0 { unique.sample = "\(unique.violations) came a second time" }
    return figures.checks + [unique]
  }
}
