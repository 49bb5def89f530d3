import LoadReporting

/// What an agent hears of its run beside the report.
struct RunTap: Sendable {
  /// Called when all is prepared; the load begins when it returns.
  ///
  /// Throws ``SetupError`` if it isn't to begin.
  var beforeLoad: @Sendable () async throws(SetupError) -> Void

  /// Gets each second, with the latencies of its right answers.
  var onSecond: @Sendable (SecondFigures, LatencyHistogram) -> Void

  /// Gets what a check compared: its name and the fingerprints.
  var onFingerprints: @Sendable (String, FingerprintLog) -> Void

  /// Gets the calls of the load and of what was looked at after it, by the method's path.
  var onExchanges: @Sendable ([String: ExchangeCounts]) -> Void = { _ in }
}
