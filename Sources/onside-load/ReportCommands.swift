import Flags
import Glibc
import LoadReporting

/// `onside-load report`: shows a report that was written earlier.
struct ReportCommand {
  let arguments: ParsedArguments

  func execute() -> ExitCode {
    do {
      let report = try readReport(arguments[LoadFlags.reportFile])
      try ReportFiles(arguments, isRun: false).write(report)
      try writeText(report.text(TextStyle(descriptor: STDOUT_FILENO)), to: STDOUT_FILENO)
      return .success
    } catch {
      LoadFlags.command.complain("\(error)")
      return .file
    }
  }
}

/// `onside-load compare`: says what changed from one run to another.
struct CompareCommand {
  let arguments: ParsedArguments

  func execute() -> ExitCode {
    do throws(FileError) {
      let comparison = ReportComparison(
        before: try readReport(arguments[LoadFlags.before]),
        after: try readReport(arguments[LoadFlags.after]))
      if let path = arguments[LoadFlags.html] { try writeText(comparison.page, toFile: path) }
      if let path = arguments[LoadFlags.comparisonJSON] {
        try writeText(comparison.json.indented(), toFile: path)
      }
      try writeText(comparison.text(TextStyle(descriptor: STDOUT_FILENO)), to: STDOUT_FILENO)
      let isWorse = arguments[LoadFlags.failOnRegression] && comparison.isRegression
      return isWorse ? .threshold : .success
    } catch {
      LoadFlags.command.complain("\(error)")
      return .file
    }
  }
}

/// A report from its JSON form.
func readReport(_ path: String) throws(FileError) -> LoadReport {
  let text = try readText(path)
  let json: JSONValue
  do throws(JSONError) {
    json = try JSONValue(parsing: text)
  } catch {
    throw FileError("\(path): \(error)")
  }
  do throws(ReportFormatError) {
    return try LoadReport(json: json)
  } catch {
    throw FileError("\(path): \(error)")
  }
}
