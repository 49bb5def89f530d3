import LoadReporting

/// What servers on other machines have said of their processes, instant by instant: what they used
/// between two instants follows from the states around them.
struct ServerTimeline: Sendable {
  /// All servers together, at one instant of this machine's monotonic clock.
  struct State: Sendable, Equatable {
    var instant: UInt64

    /// The processes that it is about: other ones have other counters.
    var processes: [Int32]

    var cpuNanoseconds: UInt64
    var contextSwitches: UInt64
    var residentBytes: UInt64
    var peakResidentBytes: UInt64
    var descriptors: Int

    /// Times that disks had to make writes durable; nil: nothing is kept on a disk.
    var syncs: UInt64?
  }

  /// In the order of their instants.
  private(set) var states: [State] = []

  /// Adds a state; answers may come in another order than that of their instants.
  mutating func add(_ state: State) {
    let place = states.lastIndex { $0.instant <= state.instant }.map { $0 + 1 } ?? 0
    states.insert(state, at: place)
  }

  /// The last one that was asked for before an instant.
  func last(before instant: UInt64) -> State? {
    states.last { $0.instant < instant }
  }

  /// What was used between two instants, of which the counters are taken from the line between the
  /// states around them. Nil: there is no state before and after each, or a server isn't the one
  /// that it was.
  func used(from start: UInt64, to end: UInt64) -> ProcessFigures? {
    guard let before = counters(at: start), let after = counters(at: end),
      let held = states.first(where: { $0.instant >= end }), before.processes == after.processes,
      let process = held.processes.first, after.cpu >= before.cpu
    else { return nil }
    var figures = ProcessFigures(
      pid: process, cpuNanoseconds: UInt64(after.cpu - before.cpu),
      residentBytes: held.residentBytes, peakResidentBytes: held.peakResidentBytes)
    figures.descriptors = held.descriptors
    figures.contextSwitches = UInt64(max(0, after.switches - before.switches))
    if let first = before.syncs, let last = after.syncs {
      figures.syncs = UInt64(max(0, last - first).rounded())
    }
    return figures
  }

  private struct Counters {
    var processes: [Int32]
    var cpu: Double
    var switches: Double
    var syncs: Double?
  }

  private func counters(at instant: UInt64) -> Counters? {
    guard let after = states.first(where: { $0.instant >= instant }),
      let before = states.last(where: { $0.instant <= instant }),
      before.processes == after.processes
    else { return nil }
    let distance = Double(after.instant - before.instant)
    let share = distance > 0 ? Double(instant - before.instant) / distance : 0
    func between(_ first: UInt64, _ last: UInt64) -> Double {
      Double(first) + (Double(last) - Double(first)) * share
    }
    var syncs: Double?
    if let first = before.syncs, let last = after.syncs { syncs = between(first, last) }
    return Counters(
      processes: before.processes, cpu: between(before.cpuNanoseconds, after.cpuNanoseconds),
      switches: between(before.contextSwitches, after.contextSwitches), syncs: syncs)
  }
}

extension SecondFigures {
  /// Adds what the servers say of themselves: what they used from one state to the next, as if it
  /// had been in this second.
  ///
  /// - Parameter elapsed: how long the second was.
  mutating func addServer(
    from before: ServerTimeline.State, to after: ServerTimeline.State, elapsed: Double
  ) {
    guard before.processes == after.processes, after.instant > before.instant,
      after.cpuNanoseconds >= before.cpuNanoseconds
    else { return }
    let seconds = Double(after.instant - before.instant) / 1e9
    serverCores = Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1e9 / seconds
    serverResidentBytes = after.residentBytes
    serverDescriptors = after.descriptors
    if after.contextSwitches >= before.contextSwitches {
      let switches = Double(after.contextSwitches - before.contextSwitches) / seconds * elapsed
      serverContextSwitches = UInt64(Swift.max(0, switches).rounded())
    }
  }
}
