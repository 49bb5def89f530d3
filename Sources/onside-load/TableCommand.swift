import Flags
import Glibc
import LoadGenerator
import LoadReporting

/// `onside-load table`: one table of several reports.
struct TableCommand {
  let arguments: ParsedArguments

  func execute() -> ExitCode {
    do {
      let reports = try arguments[LoadFlags.reports].map { path in
        (name: path, value: try report(path))
      }
      let table = try ReportTable(reports)
      try writeText(table.text(TextStyle(descriptor: STDOUT_FILENO)), to: STDOUT_FILENO)
      return .success
    } catch {
      LoadFlags.command.complain("\(error)")
      return .file
    }
  }

  private func report(_ path: String) throws -> JSONValue {
    let text = try readText(path)
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw FileError("\(path): \(error)")
    }
  }
}
