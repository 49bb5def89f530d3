/// The result of a run: all that the table, the JSON file and the exit code say.
public struct LoadReport: Sendable {
  /// The version of the JSON form. It changes when a member changes its meaning or goes away.
  public static let schema = "onside-load/1"

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

    /// Calls may have succeeded, but a check found their answers wrong.
    case checksViolated = "checks-violated"
  }

  /// The scenario's name.
  public var scenario: String

  /// The process's arguments, with the program's name.
  public var commandLine: [String]

  /// When it started, milliseconds since 1970 UTC.
  public var startedAt: Int64

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

  /// The scenario's calls.
  public var calls: CallFigures

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

  /// Second by second.
  public var series: [SecondFigures]

  /// Right answers per second of the measured window.
  public var okPerSecond: Double {
    seconds > 0 ? Double(calls.ok) / seconds : 0
  }

  /// The run's outcome: passed only if calls succeeded, none failed and no check found anything.
  public var verdict: Verdict {
    if ending == .interrupted { return .interrupted }
    if checks.contains(where: { $0.violations > 0 }) { return .checksViolated }
    if case .aborted = ending { return .failed }
    return calls.ok > 0 && calls.failed == 0 && calls.unanswered == 0 ? .passed : .failed
  }
}

/// Counts of a scenario's calls. One call is one operation of the scenario: of `purchase` the whole
/// way from log-in to finish.
///
/// `sent` = `ok` + `okOutside` + `failed` + `unanswered`.
public struct CallFigures: Sendable {
  /// All that were started, also before and after the measured window.
  public var sent = 0

  /// Right answers that came in the measured window.
  public var ok = 0

  /// Right answers that came before it (warm-up) or after it (those under way at its end).
  public var okOutside = 0

  /// Failed calls of the whole run.
  public var failed = 0

  /// Still without an answer when the run ended.
  public var unanswered = 0

  /// Encoded requests, in bytes and without what carries them; of scenarios whose call is one
  /// exchange, and of all right answers.
  public var requestBytes: UInt64 = 0

  /// Encoded responses, likewise.
  public var responseBytes: UInt64 = 0

  /// Of the right answers in the window only.
  public var latency = LatencyHistogram()

  /// What the failed ones failed with.
  public var failures = FailureTally()

  /// No calls.
  public init() {}

  /// Adds those of another loop.
  public mutating func merge(_ other: CallFigures) {
    sent += other.sent
    ok += other.ok
    okOutside += other.okOutside
    failed += other.failed
    unanswered += other.unanswered
    requestBytes += other.requestBytes
    responseBytes += other.responseBytes
    latency.merge(other.latency)
    failures.merge(other.failures)
  }
}

/// One kind of exchange inside a scenario's call: right answers in the measured window.
public struct StepFigures: Sendable {
  /// The method, or the phase: `CreatePurchase`, `connect`.
  public var name: String

  /// How long they took.
  public var latency = LatencyHistogram()

  /// A step that wasn't made yet.
  public init(name: String) {
    self.name = name
  }
}

/// The connections of a run.
public struct ConnectionFigures: Sendable, Equatable {
  /// Handshakes that were completed.
  public var opened = 0

  /// Attempts without a connection.
  public var failed = 0

  /// Connections that ended before the generator closed them.
  public var lost = 0

  /// Of those opened: with a full handshake.
  public var fullHandshakes = 0

  /// Of those opened: with a resumed session.
  public var resumedHandshakes = 0

  /// What was negotiated by the first: "TLSv1.3 TLS_AES_128_GCM_SHA256 X25519, onside/1".
  public var security: String?

  /// None.
  public init() {}

  /// Adds those of another loop.
  public mutating func merge(_ other: ConnectionFigures) {
    opened += other.opened
    failed += other.failed
    lost += other.lost
    fullHandshakes += other.fullHandshakes
    resumedHandshakes += other.resumedHandshakes
    security = security ?? other.security
  }
}

/// What a process used in the measured window.
public struct ProcessFigures: Sendable, Equatable {
  /// Its process id.
  public var pid: Int32

  /// CPU time of all its threads, in nanoseconds.
  public var cpuNanoseconds: UInt64

  /// In memory at the end of the window, in bytes.
  public var residentBytes: UInt64?

  /// The most that it ever had in memory, in bytes.
  public var peakResidentBytes: UInt64?

  /// Of idle connections: by how much each made its memory grow, in bytes.
  public var residentBytesPerConnection: Double?

  /// Of idle connections: its CPU time while nothing happened.
  public var idleCPUNanoseconds: UInt64?
}

/// One second of a run.
public struct SecondFigures: Sendable, Equatable {
  /// Since the start of the warm-up; the second's end.
  public var second: Double

  /// False: warm-up.
  public var isMeasured: Bool

  /// Right answers.
  public var ok: Int

  /// Failed calls.
  public var failed: Int

  /// Latency in nanoseconds; nil: no right answer.
  public var p50: UInt64?

  /// Latency in nanoseconds; nil: no right answer.
  public var p99: UInt64?

  /// How many cores the generator used.
  public var clientCores: Double

  /// How many cores the server used, if its process is known.
  public var serverCores: Double?

  /// The server's memory, if its process is known.
  public var serverResidentBytes: UInt64?
}
