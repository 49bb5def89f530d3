import Flags
import RPCTransport

/// What becomes of a report: files, a verdict, and the commands that read reports again.
extension LoadFlags {
  static let failIf = Flag<[String]>(
    repeatable: "fail-if", .text("CONDITION"),
    help: "end with 99 if this holds, as in 'p99 > 10ms', 'errors > 0.1%', 'delivered < 99%',"
      + " 'rate < 1000', 'rpc.p99 > 5ms', 'skipped > 0', 'server.cpu > 50us'; with it, failed"
      + " calls by themselves don't fail the run")
  static let html = Flag<String?>(
    "html", .file, help: "write a page there: one file that needs nothing from elsewhere")
  static let csv = Flag<String?>(
    "csv", .file, help: "write the seconds there as comma-separated values")
  static let hdr = Flag<String?>(
    "hdr", .file, help: "write the histograms there as an HdrHistogram log (V2 text)")
  static let junit = Flag<String?>(
    "junit", .file, help: "write thresholds and checks there as test cases, for CI")
  static let prometheus = Flag<String?>(
    "prometheus-file", .file,
    help: "write the state there each second in Prometheus' text format, as the node exporter's"
      + " textfile collector reads it")

  static let prometheusListen = Flag<Endpoint?>(
    "prometheus-listen", .listenAddress,
    help: "serve the state there at /metrics over HTTP, without encryption, as Prometheus fetches"
      + " it; without an address for this machine alone; port 0 picks a free one and prints it")

  /// Those of `run`.
  static let reportFiles: [any CommandElement] = [
    failIf, html, csv, hdr, junit, prometheus, prometheusListen,
  ]

  static let reportFile = Flag<String>(
    argument: "FILE", .file, help: "a report that run --json wrote")
  static let report = Command(
    "report", summary: "Shows a report again, and makes its files anew.",
    discussion: "The page is the same, byte for byte, as the one that run --html wrote.",
    elements: [reportFile, html, csv, hdr, junit],
    exitCodes: [
      (.success, nil), (.usage, nil), (.file, "the report can't be read, or a file written"),
    ])

  static let before = Flag<String>(argument: "BEFORE", .file, help: "the first run's report")
  static let after = Flag<String>(argument: "AFTER", .file, help: "the second run's report")
  static let comparisonJSON = Flag<String?>(
    "json", .file, help: "write the comparison there as JSON")
  static let failOnRegression = Flag<Bool>(
    toggle: "fail-on-regression", help: "end with 99 if a figure is worse by more than noise")
  static let compare = Command(
    "compare", summary: "Says what changed from one run to another, and whether it is noise.",
    elements: [before, after, html, comparisonJSON, failOnRegression],
    exitCodes: [
      (.success, nil), (.usage, nil), (.file, "a report can't be read, or a file written"),
      (.threshold, "with --fail-on-regression: a figure is worse by more than noise"),
    ])
}
