/// The course of a run that several agents make together, as a pure state machine: what agents say,
/// and what time it is, goes in; what is to be done comes out.
///
/// All agents are described, then all prepare, then all begin at one instant. Until then whatever
/// goes wrong with one ends the run. Afterwards an agent can be lost, and the others go on.
struct Coordinator: Sendable {
  /// How long things may take, in nanoseconds.
  struct Timing: Sendable {
    /// From the last agent being ready to the instant at which all begin: each has to have got it
    /// by then.
    var lead: UInt64 = 500_000_000

    /// How long an agent may say nothing while it loads: it tells about each second.
    var silence: UInt64 = 20_000_000_000

    /// How long the agents' partial results are waited for when somebody stops the run.
    var patienceAfterStop: UInt64 = 10_000_000_000
  }

  /// What an agent says, or what becomes of it.
  enum Message: Sendable {
    /// It is there, has the right version and is free.
    case described

    /// All is prepared.
    case ready

    /// How its clock stands.
    case clock(ClockOffset)

    /// Another second of its load is over.
    case second

    /// Its result is here.
    case finished

    /// It can't do what it is to do.
    case refused(SetupError)

    /// The connection to it, or its call, ended.
    case lost(String)
  }

  /// What is to be done.
  enum Action: Sendable {
    case prepare(agent: Int)
    case measureClock(agent: Int)

    /// The instant is one of the agent's own clock.
    case start(agent: Int, at: UInt64)

    case stop(agent: Int)

    /// Nothing is wanted of it any more.
    case abandon(agent: Int)

    /// The run can't begin.
    case fail(SetupError)

    /// All that can come has come.
    case complete
  }

  /// How far an agent is.
  enum State: Sendable, Equatable {
    case connecting, described, preparing, ready
    case timed(ClockOffset)
    case running
    case finished

    /// For this reason.
    case lost(String)

    var isOver: Bool {
      switch self {
      case .finished, .lost: true
      default: false
      }
    }

    var clock: ClockOffset? {
      if case .timed(let clock) = self { clock } else { nil }
    }
  }

  private let names: [String]
  private let timing: Timing

  /// Of each agent.
  private(set) var states: [State]

  /// How many seconds of its load each agent has told.
  private(set) var seconds: [Int]

  /// By how much the agents' common start may be off, in nanoseconds; nil: there is none yet.
  private(set) var uncertainty: UInt64?

  /// Whether somebody stopped the run.
  private(set) var isStopped = false

  /// Whether all have been told when to begin.
  private(set) var hasStarted = false

  private var heard: [UInt64]
  private var stopDeadline = UInt64.max
  private var isOver = false

  /// - Parameter names: of the agents, for people.
  init(_ names: [String], timing: Timing = Timing()) {
    self.names = names
    self.timing = timing
    states = names.map { _ in .connecting }
    seconds = names.map { _ in 0 }
    heard = names.map { _ in 0 }
  }

  // MARK: What happens

  /// An agent says something.
  mutating func agent(_ agent: Int, _ message: Message, now: UInt64) -> [Action] {
    guard !isOver, !states[agent].isOver else { return [] }
    heard[agent] = now
    switch (message, states[agent]) {
    case (.described, .connecting): return advance(agent, to: .described)
    case (.ready, .preparing): return advance(agent, to: .ready)
    case (.clock(let clock), .ready): return timed(agent, clock, now: now)
    case (.second, .running):
      seconds[agent] += 1
      return []
    case (.finished, .running):
      states[agent] = .finished
      return completeIfOver()
    case (.refused(let error), let state):
      guard state == .running else {
        return fail(SetupError(error.code, "\(names[agent]): \(error)"))
      }
      return lose(agent, error.description)
    case (.lost(let reason), let state):
      guard state == .running else {
        return fail(SetupError(.address, "\(names[agent]): \(reason)"))
      }
      return lose(agent, reason)
    default:
      return out(of: agent, "it said something that wasn't expected")
    }
  }

  /// Time goes by.
  mutating func tick(now: UInt64) -> [Action] {
    guard !isOver, hasStarted else { return [] }
    var actions: [Action] = []
    for agent in states.indices where states[agent] == .running {
      if now >= stopDeadline {
        actions += out(of: agent, "its partial result didn't come in time")
      } else if now > heard[agent], now - heard[agent] > timing.silence {
        actions += out(
          of: agent, "it has said nothing for \(timing.silence / 1_000_000_000) s")
      }
    }
    return actions
  }

  /// Somebody stops the run.
  mutating func interrupt(now: UInt64) -> [Action] {
    guard !isOver, !isStopped else { return [] }
    guard hasStarted else { return fail(SetupError(.interrupted, "stopped before the load")) }
    isStopped = true
    stopDeadline = now &+ timing.patienceAfterStop
    return states.indices.filter { states[$0] == .running }.map { .stop(agent: $0) }
  }

  /// The load can't be made, for a reason that isn't an agent's.
  mutating func callOff(_ error: SetupError) -> [Action] {
    isOver ? [] : fail(error)
  }

  // MARK: What follows

  /// All agents go on together once each has come so far.
  private mutating func advance(_ agent: Int, to state: State) -> [Action] {
    states[agent] = state
    guard states.allSatisfy({ $0 == state }) else { return [] }
    guard state == .described else {
      return states.indices.map { .measureClock(agent: $0) }
    }
    for agent in states.indices { states[agent] = .preparing }
    return states.indices.map { .prepare(agent: $0) }
  }

  private mutating func timed(_ agent: Int, _ clock: ClockOffset, now: UInt64) -> [Action] {
    states[agent] = .timed(clock)
    let clocks = states.compactMap(\.clock)
    guard clocks.count == states.count else { return [] }
    hasStarted = true
    uncertainty = clocks.map(\.uncertainty).max()
    let instant = now &+ timing.lead
    for agent in states.indices {
      states[agent] = .running
      // Nothing can be heard before it has begun and a second is over.
      heard[agent] = instant
    }
    return clocks.enumerated().map {
      .start(agent: $0.offset, at: $0.element.agentInstant(instant))
    }
  }

  /// Nothing is expected of an agent any more.
  private mutating func out(of agent: Int, _ reason: String) -> [Action] {
    guard hasStarted else {
      return fail(SetupError(.address, "\(names[agent]): \(reason)"))
    }
    return [.abandon(agent: agent)] + lose(agent, reason)
  }

  private mutating func lose(_ agent: Int, _ reason: String) -> [Action] {
    states[agent] = .lost(reason)
    return completeIfOver()
  }

  private mutating func completeIfOver() -> [Action] {
    guard states.allSatisfy(\.isOver) else { return [] }
    isOver = true
    return [.complete]
  }

  private mutating func fail(_ error: SetupError) -> [Action] {
    isOver = true
    return states.indices.map { .abandon(agent: $0) } + [.fail(error)]
  }
}
