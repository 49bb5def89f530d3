/// One of the machines that made a load together.
public struct AgentFigures: Sendable, Equatable {
  /// How an agent's part ended.
  public enum State: String, Sendable, CaseIterable {
    case finished

    /// It was lost: its figures are in the report up to the last second that it told.
    case lost
  }

  /// As it was named to the coordinator: `host:port`.
  public var name: String

  /// What it runs on.
  public var machine: Machine

  /// How its part ended.
  public var state: State

  /// Why it was lost; nil: it wasn't.
  public var reason: String?

  /// When it began after the instant that all had agreed on, in nanoseconds; by its own clock.
  public var startLag: Int64

  /// Its share.
  public var load: LoadFigures

  /// Itself in the measured window.
  public var process: ProcessFigures

  /// An agent's part.
  public init(
    name: String, machine: Machine, state: State, reason: String? = nil, startLag: Int64,
    load: LoadFigures, process: ProcessFigures
  ) {
    self.name = name
    self.machine = machine
    self.state = state
    self.reason = reason
    self.startLag = startLag
    self.load = load
    self.process = process
  }
}
