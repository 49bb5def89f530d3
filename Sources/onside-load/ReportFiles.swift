import Flags
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
