import Flags
import Glibc

/// `rpc-bench`: figures that no load of `onside-load` gives. For `Benchmarks/compare.py`.
enum BenchCommand {
  static let command = Command(
    "rpc-bench",
    summary: "Measures deadlines and refusals.",
    version: "1.0.0",
    subcommands: [DeadlineBench.command, EnumerationBench.command])

  /// Measures, and prints one JSON object.
  static func execute(_ arguments: ParsedArguments) async -> ExitCode {
    do {
      let json =
        switch arguments.path {
        case ["deadline"]: try await DeadlineBench(arguments).run()
        default: try await EnumerationBench(arguments).run()
        }
      print(json)
      return .success
    } catch {
      command.complain("\(error)")
      return .failure
    }
  }
}
