import Synchronization

/// Writes log lines: a level, a message, and fields with values.
///
/// Copies write to the same place and share level and rate limits. Message and fields are only
/// evaluated when the level is on; a line that is off costs one relaxed atomic load.
///
/// ```swift
/// log.info("listening", ["on": "\(address)", "loops": .count(loops)])
/// log.warning("handshake failed", ["peer": "\(peer)"], key: "handshake", every: .seconds(5))
/// ```
public struct Logger: Sendable {
  private let core: LoggerCore

  /// A logger with its own level and rate limits.
  ///
  /// - Parameters:
  ///   - level: lines below it aren't written.
  ///   - clock: gives the time of each line.
  ///   - sink: gets each whole line, with its line feed. Called on the thread that logs.
  public init(
    level: LogLevel = .info, format: LogFormat = .text,
    clock: @escaping @Sendable () -> LogInstant = LogInstant.now,
    sink: @escaping @Sendable (String) -> Void = Logger.standardError
  ) {
    core = LoggerCore(level: level, format: format, clock: clock, sink: sink)
  }

  /// Lines below this level aren't written. May be changed at any time from any thread.
  public var level: LogLevel {
    get { LogLevel(rawValue: core.level.load(ordering: .relaxed)) ?? .info }
    nonmutating set { core.level.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Whether lines of this level are written.
  @inline(__always)
  public func isEnabled(_ level: LogLevel) -> Bool {
    core.level.load(ordering: .relaxed) <= level.rawValue
  }

  /// A line for who looks for a fault in the program itself.
  public func debug(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = [:]
  ) {
    if isEnabled(.debug) { core.write(.debug, message(), fields(), suppressed: 0) }
  }

  /// A line about ordinary operation.
  public func info(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = [:]
  ) {
    if isEnabled(.info) { core.write(.info, message(), fields(), suppressed: 0) }
  }

  /// A line about something that somebody should look at.
  public func warning(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = [:]
  ) {
    if isEnabled(.warning) { core.write(.warning, message(), fields(), suppressed: 0) }
  }

  /// A line about something that failed.
  public func error(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> LogFields = [:]
  ) {
    if isEnabled(.error) { core.write(.error, message(), fields(), suppressed: 0) }
  }

  /// A line that peers can cause as often as they like: at most one per `key` and interval is
  /// written; it then carries how many were suppressed before it.
  public func log(
    _ level: LogLevel, _ message: @autoclosure () -> String,
    _ fields: @autoclosure () -> LogFields = [:], key: String, every interval: Duration
  ) {
    guard isEnabled(level), let suppressed = core.admit(key, every: interval) else { return }
    core.write(level, message(), fields(), suppressed: suppressed)
  }

  /// Writes how many lines the rate limits suppressed since each key's last line, if any. To be
  /// called from time to time and at the end.
  public func reportSuppressed() {
    for (key, count) in core.limits.withLock({ $0.takeSuppressed() }) {
      core.write(
        .info, "lines suppressed", ["key": .string(key), "count": .count(count)], suppressed: 0)
    }
  }
}

private final class LoggerCore: Sendable {
  let level: Atomic<UInt8>
  let limits = Mutex(RateLimits())
  private let format: LogFormat
  private let clock: @Sendable () -> LogInstant
  private let sink: @Sendable (String) -> Void

  init(
    level: LogLevel, format: LogFormat, clock: @escaping @Sendable () -> LogInstant,
    sink: @escaping @Sendable (String) -> Void
  ) {
    self.level = Atomic(level.rawValue)
    self.format = format
    self.clock = clock
    self.sink = sink
  }

  func admit(_ key: String, every interval: Duration) -> Int? {
    let (seconds, attoseconds) = interval.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let nanoseconds = overflow ? Int64.max / 2 : whole + attoseconds / 1_000_000_000
    let now = clock().monotonicNanoseconds
    return limits.withLock { $0.admit(key, interval: nanoseconds, now: now) }
  }

  func write(_ level: LogLevel, _ message: String, _ fields: LogFields, suppressed: Int) {
    sink(format.line(clock(), level, message, fields, suppressed: suppressed))
  }
}
