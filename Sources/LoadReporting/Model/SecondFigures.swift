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

  /// Calls planned for this second; nil: no plan (a closed loop).
  public var planned: Int?

  /// Calls not begun, since too many were under way.
  public var skipped = 0

  /// Calls under way at its end.
  public var inFlight = 0

  /// Connections that were opened.
  public var connectionsOpened = 0

  /// Latency in nanoseconds; nil: no right answer.
  public var p90: UInt64?

  /// The longest latency in nanoseconds; nil: no right answer.
  public var max: UInt64?

  /// The latencies of its right answers; nil: there was none, or they weren't kept.
  public var histogram: PackedHistogram?

  /// The server's open descriptors, if its process is known.
  public var serverDescriptors: Int?

  /// The server's context switches in this second, if its process is known.
  public var serverContextSwitches: UInt64?

  /// The figures of one.
  public init(
    second: Double, isMeasured: Bool, ok: Int, failed: Int, p50: UInt64?, p99: UInt64?,
    clientCores: Double, serverCores: Double? = nil, serverResidentBytes: UInt64? = nil
  ) {
    self.second = second
    self.isMeasured = isMeasured
    self.ok = ok
    self.failed = failed
    self.p50 = p50
    self.p99 = p99
    self.clientCores = clientCores
    self.serverCores = serverCores
    self.serverResidentBytes = serverResidentBytes
  }
}
