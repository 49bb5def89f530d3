/// The result of a run: all that the table, the JSON file and the exit code say.
public struct LoadReport: Sendable, Equatable {
  /// The version of the JSON form. It changes when a member changes its meaning or goes away.
  public static let schema = "onside-load/2"

  /// Why a run ended.
  public enum Ending: Sendable, Equatable {
    /// Its time was over.
    case duration

    /// Its calls were made.
    case calls

    /// Somebody stopped it; the figures are those up to then.
    case interrupted

    /// It couldn't go on, for this reason.
    case aborted(String)
  }

  /// What the run's outcome is.
  public enum Verdict: String, Sendable {
    case passed, failed, interrupted

    /// A `--fail-if` was crossed.
    case thresholdCrossed = "threshold-crossed"

    /// The generator itself couldn't do what was asked: the figures say little about the server.
    case saturated

    /// Calls may have succeeded, but a check found their answers wrong.
    case checksViolated = "checks-violated"
  }

  /// The scenario's name.
  public var scenario: String

  /// The process's arguments, with the program's name.
  public var commandLine: [String]

  /// When it started, milliseconds since 1970 UTC.
  public var startedAt: Int64

  /// Name, version and build of the generator.
  public var tool = ""

  /// What the server says about itself.
  public var serverFacts = ServerFacts()

  /// What the generator ran on.
  public var machine: Machine

  /// Whether the server is known to be a process of the same machine.
  public var sharesHost: Bool

  /// How the load was made.
  public var load: [JSONValue.Member]

  /// Why it ended.
  public var ending: Ending

  /// How long was measured, in seconds: the window that `calls.ok` is counted in.
  public var seconds: Double

  /// How much of the planned load was made.
  public var delivery = LoadFigures()

  /// All calls, of all scenarios.
  public var calls: CallFigures

  /// The scenarios of a mix, each with its own calls; empty: there is only the one.
  public var scenarios: [ScenarioFigures] = []

  /// What the calls' times consist of; those that came in the measured window.
  public var phases: [PhaseFigures] = []

  /// What a call is made of, if that is more than one exchange.
  public var steps: [StepFigures]

  /// The connections of the whole run.
  public var connections: ConnectionFigures

  /// The generator itself in the measured window.
  public var client: ProcessFigures

  /// The server in the measured window; nil: its process wasn't named, or couldn't be read.
  public var server: ProcessFigures?

  /// What was checked.
  public var checks: [CheckResult]

  /// What became of each `--fail-if`.
  public var thresholds: [ThresholdResult] = []

  /// Why the generator itself is taken to have been the limit; empty: it wasn't.
  public var saturation: [String] = []

  /// What is said beside the figures: "shares the host with the server".
  public var remarks: [String] = []

  /// The machines that made the load together; empty: this one alone.
  public var agents: [AgentFigures] = []

  /// Whether the run may pass though some of them were lost.
  public var toleratesLostAgents = false

  /// Second by second.
  public var series: [SecondFigures]

  /// What is always known of a run.
  public init(
    scenario: String, commandLine: [String], startedAt: Int64, machine: Machine, sharesHost: Bool,
    load: [JSONValue.Member], ending: Ending, seconds: Double, calls: CallFigures,
    steps: [StepFigures], connections: ConnectionFigures, client: ProcessFigures,
    server: ProcessFigures?, checks: [CheckResult], series: [SecondFigures]
  ) {
    self.scenario = scenario
    self.commandLine = commandLine
    self.startedAt = startedAt
    self.machine = machine
    self.sharesHost = sharesHost
    self.load = load
    self.ending = ending
    self.seconds = seconds
    self.calls = calls
    self.steps = steps
    self.connections = connections
    self.client = client
    self.server = server
    self.checks = checks
    self.series = series
  }

  /// Right answers per second of the measured window; those that came after it aren't counted.
  public var okPerSecond: Double {
    seconds > 0 ? Double(calls.ok - calls.okLate) / seconds : 0
  }

  /// The run's outcome: passed only if calls succeeded, none failed and no check found anything.
  public var verdict: Verdict {
    if ending == .interrupted { return .interrupted }
    if checks.contains(where: { $0.violations > 0 }) { return .checksViolated }
    if case .aborted = ending { return .failed }
    if !toleratesLostAgents, agents.contains(where: { $0.state == .lost }) { return .failed }
    if !saturation.isEmpty { return .saturated }
    // Whoever sets thresholds says which errors are too many.
    if !thresholds.isEmpty {
      guard calls.ok > 0 else { return .failed }
      return thresholds.contains(where: \.isCrossed) ? .thresholdCrossed : .passed
    }
    return calls.ok > 0 && calls.failed == 0 && calls.unanswered == 0 ? .passed : .failed
  }
}
