import LoadReporting
import OnsideProto
import RPC

// What the coordinator itself sees of the servers: under `/proc`, or by their own word.

extension AgentsSession {
  /// Asks the servers how they are once all agents are prepared, and before the first is told to
  /// begin: what they have counted from then on is the load.
  ///
  /// - Returns: why they can't be asked; nil: they could, or needn't be.
  func askServers(
    _ actions: [Coordinator.Action], _ course: inout Course
  ) async -> SetupError? {
    guard let sampler, course.before == nil, actions.contains(where: \.isMeasureClock) else {
      return nil
    }
    do throws(RPCError) {
      course.before = try await sampler.statuses()
      return nil
    } catch {
      return SetupError(error, doing: "asking for the server's status")
    }
  }

  /// Adds what the servers say of themselves, and compares their counters with those of all agents.
  func addServers(to report: inout LoadReport, _ course: Course) async {
    guard let sampler, let before = course.before, let opening = course.opening,
      let closing = course.closing,
      let after = await sampler.statuses(afterLoadOf: &report)
    else { return }
    var exchanges: [String: ExchangeCounts]?
    if course.exchanges.count == links.count {
      exchanges = course.exchanges.values.reduce(into: [:]) { $0.add($1) }
    } else {
      report.remarks.append(
        "the server's counters aren't compared: not all agents have told what they did")
    }
    report.add(
      after, before, sampler.states, measured: (opening.instant, closing.instant),
      exchanges: exchanges)
  }

  /// The seconds that are complete by now, with what the server used in them.
  func newSeconds(_ course: inout Course, _ meter: ProcessMeter) -> [SecondFigures] {
    for (agent, state) in course.coordinator.states.enumerated() where state.isOver {
      course.merge.end(agent)
    }
    let reading = meter.read()
    let state = sampler?.states.last(before: reading.instant)
    let (lastReading, lastState) = (course.lastReading, course.serverState)
    let new = course.merge.takeNew { second in
      if let lastReading { second.addServer(meter, from: lastReading, to: reading) }
      guard meter.server == nil, let lastState, let state else { return }
      second.addServer(from: lastState, to: state, elapsed: 1)
    }
    guard !new.isEmpty else { return [] }
    (course.lastReading, course.serverState) = (reading, state)
    // What was read with the last second of the warm-up is where the measured ones begin.
    if new.contains(where: \.isMeasured) {
      course.closing = reading
    } else {
      course.opening = reading
    }
    return new
  }
}

extension Coordinator.Action {
  var isMeasureClock: Bool {
    if case .measureClock = self { true } else { false }
  }

  var isStart: Bool {
    if case .start = self { true } else { false }
  }
}
