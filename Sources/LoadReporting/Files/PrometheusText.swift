/// The state of a run for Prometheus, in its text exposition format: counters since the load began,
/// and the last second's figures.
public struct PrometheusText: Sendable {
  private let scenario: String
  private var ok = 0
  private var failed = 0
  private var skipped = 0
  private var connections = 0
  private var last: SecondFigures?

  /// Before the first second.
  public init(scenario: String) {
    self.scenario = scenario
  }

  /// Adds one second.
  public mutating func add(_ second: SecondFigures) {
    ok += second.ok
    failed += second.failed
    skipped += second.skipped
    connections += second.connectionsOpened
    last = second
  }

  /// The exposition.
  public var text: String {
    var text = ""
    func family(_ name: String, _ type: String, _ help: String, _ samples: [(String, Double?)]) {
      let there = samples.compactMap { label, value in value.map { (label, $0) } }
      guard !there.isEmpty else { return }
      text += "# HELP onside_load_\(name) \(help)\n# TYPE onside_load_\(name) \(type)\n"
      for (label, value) in there {
        let labels = "scenario=\"\(PrometheusText.quoted(scenario))\"\(label)"
        text += "onside_load_\(name){\(labels)} \(rounded(value, places: 9))\n"
      }
    }
    family(
      "calls_total", "counter", "Calls that ended, by result.",
      [(",result=\"ok\"", Double(ok)), (",result=\"failed\"", Double(failed))])
    family(
      "skipped_total", "counter", "Calls not begun since too many were under way.",
      [("", Double(skipped))])
    family(
      "connections_opened_total", "counter", "Connections opened.", [("", Double(connections))])
    guard let last else { return text }
    family(
      "latency_seconds", "gauge", "Latency of right answers in the last second.",
      [
        (",quantile=\"0.5\"", last.p50), (",quantile=\"0.9\"", last.p90),
        (",quantile=\"0.99\"", last.p99), (",quantile=\"1\"", last.max),
      ].map { ($0, $1.map { Double($0) / 1e9 }) })
    family(
      "planned_per_second", "gauge", "Calls planned for the last second.",
      [("", last.planned.map { Double($0) })])
    family("in_flight", "gauge", "Calls under way.", [("", Double(last.inFlight))])
    family(
      "cores", "gauge", "Cores used in the last second.",
      [(",process=\"generator\"", last.clientCores), (",process=\"server\"", last.serverCores)])
    family(
      "server_resident_bytes", "gauge", "The server's memory.",
      [("", last.serverResidentBytes.map { Double($0) })])
    family(
      "server_descriptors", "gauge", "The server's open descriptors.",
      [("", last.serverDescriptors.map { Double($0) })])
    family(
      "server_context_switches", "gauge", "The server's context switches in the last second.",
      [("", last.serverContextSwitches.map { Double($0) })])
    family("measured", "gauge", "0 in the warm-up.", [("", last.isMeasured ? 1 : 0)])
    return text
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
