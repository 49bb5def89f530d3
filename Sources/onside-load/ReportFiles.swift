import Flags
import Glibc
import LoadReporting

/// The verdict and the files that a command line asks for.
struct ReportFiles {
  private let arguments: ParsedArguments
  private let thresholds: [Threshold]

  /// - Throws: ``ThresholdError`` for a `--fail-if` that can't be read.
  init(_ arguments: ParsedArguments, isRun: Bool) throws(ThresholdError) {
    self.arguments = arguments
    var thresholds: [Threshold] = []
    for text in isRun ? arguments[LoadFlags.failIf] : [] {
      thresholds.append(try Threshold(parsing: text))
    }
    self.thresholds = thresholds
  }

  /// Sees what became of each `--fail-if`.
  func judge(_ report: inout LoadReport) {
    report.thresholds = thresholds.map { $0.evaluate(report) }
  }

  /// Writes those that were asked for.
  func write(_ report: LoadReport) throws(FileError) {
    let files: [(path: String?, text: () -> String)] = [
      (arguments[LoadFlags.html], { report.page }), (arguments[LoadFlags.csv], { report.csv }),
      (arguments[LoadFlags.hdr], { report.hdrLog }),
      (arguments[LoadFlags.junit], { report.junit }),
    ]
    for (path, text) in files {
      if let path { try writeText(text(), toFile: path) }
    }
  }
}

/// A file that is replaced each second: who reads it sees one whole state or another.
struct PrometheusFile {
  private let path: String
  private var state: PrometheusText
  private(set) var failure: FileError?

  /// Nil: none was asked for, or it isn't `run` that loads.
  init?(_ arguments: ParsedArguments, scenario: String) {
    guard arguments.path == ["run"], let path = arguments[LoadFlags.prometheus] else { return nil }
    self.path = path
    state = PrometheusText(scenario: scenario)
  }

  /// Adds a second and writes. A file that can't be written doesn't stop the load.
  mutating func add(_ second: SecondFigures) {
    state.add(second)
    do throws(FileError) {
      let part = path + ".part"
      try writeText(state.text, toFile: part)
      guard rename(part, path) == 0 else { throw FileError(path, errno) }
    } catch {
      failure = failure ?? error
    }
  }
}
