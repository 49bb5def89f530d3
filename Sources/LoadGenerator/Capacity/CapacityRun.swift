public import LoadReporting

/// Searches the highest rate that keeps a latency and an error rate: a run of its own for each
/// probe.
public struct CapacityRun: Sendable {
  /// Makes one probe: a load with that plan.
  public typealias Probe = (LoadPlan) async throws(SetupError) -> LoadReport

  private let plan: LoadPlan
  private let criteria: CapacityCriteria
  private let limits: CapacitySearch.Limits

  /// A search with the plan's scenario, clients and warm-up; its rate and seed change from probe to
  /// probe, and the rest doesn't.
  public init(_ plan: LoadPlan, criteria: CapacityCriteria, limits: CapacitySearch.Limits) {
    self.plan = plan
    self.criteria = criteria
    self.limits = limits
  }

  /// Makes probes until the search is over, or one is interrupted.
  ///
  /// - Parameters:
  ///   - onProbe: told about each.
  ///   - probe: makes one.
  /// - Throws: ``SetupError`` if a probe can't begin.
  public func execute(
    onProbe: (CapacityResult.Probe) -> Void = { _ in }, _ probe: Probe
  ) async throws(SetupError) -> CapacityResult {
    var result = CapacityResult(scenario: plan.title, criteria: criteria, limits: limits)
    while let rate = result.search.next() {
      let report = try await probe(try plan(of: rate, number: result.probes.count))
      if report.ending == .interrupted {
        result.isInterrupted = true
        break
      }
      result.add(report, rate: rate)
      if let last = result.probes.last { onProbe(last) }
    }
    return result
  }

  /// New users each time, so that what is to be new is.
  private func plan(of rate: Double, number: Int) throws(SetupError) -> LoadPlan {
    var plan = plan
    plan.seed = (plan.seed &+ UInt64(number)) & 0xFFFF_FFFF
    do throws(PlanError) {
      plan.stages = [try LoadStage(rate: rate, duration: plan.duration ?? .seconds(10))]
    } catch {
      throw SetupError(.plan, error.description)
    }
    return plan
  }
}
