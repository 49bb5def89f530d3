/// A second as one of several machines tells it: with all of its latencies, so that percentiles of
/// them together are exact.
package struct ToldSecond: Sendable, Equatable {
  /// What is known of it.
  package var figures: SecondFigures

  /// Of its right answers.
  package var latency: LatencyHistogram

  /// A second and the latencies of its right answers.
  package init(figures: SecondFigures, latency: LatencyHistogram) {
    self.figures = figures
    self.latency = latency
  }

  /// As it is sent.
  package var json: JSONValue {
    .members(["figures": figures.json, "latency": latency.json])
  }

  /// Reads what ``json`` wrote.
  package init(json: JSONValue) throws(ReportFormatError) {
    let reader = MemberReader(value: json, path: "")
    figures = try SecondFigures(reader["figures"])
    latency = try LatencyHistogram(reader["latency"])
  }
}
