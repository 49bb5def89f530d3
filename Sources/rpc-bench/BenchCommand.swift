import Flags
import Glibc

/// `rpc-bench`: figures that no load on a server gives. For `Benchmarks/compare.py`.
enum BenchCommand {
  static let command = Command(
    "rpc-bench",
    summary: "Measures deadlines, a lone caller beside others' troubles, and refusals.",
    version: "1.0.0",
    subcommands: [DeadlineBench.command, ProbeBench.command, EnumerationBench.command])

  /// Measures, and prints one JSON object.
  static func execute(_ arguments: ParsedArguments) async -> ExitCode {
    do {
      let json =
        switch arguments.path {
        case ["deadline"]: try await DeadlineBench(arguments).run()
        case ["enumeration"]: try await EnumerationBench(arguments).run()
        default: try await ProbeBench(arguments).run()
        }
      print(json)
      return .success
    } catch {
      command.complain("\(error)")
      return .failure
    }
  }
}
