import Flags
import Glibc

/// `rpc-bench`: figures that no load on a server gives. For `Benchmarks/compare.py`.
enum BenchCommand {
  static let command = Command(
    "rpc-bench", summary: "Measures deadlines, and a lone caller beside others' troubles.",
    version: "1.0.0", subcommands: [DeadlineBench.command, ProbeBench.command])

  /// Measures, and prints one JSON object.
  static func execute(_ arguments: ParsedArguments) async -> ExitCode {
    do {
      let json =
        arguments.path == ["deadline"]
        ? try await DeadlineBench(arguments).run() : try await ProbeBench(arguments).run()
      print(json)
      return .success
    } catch {
      command.complain("\(error)")
      return .failure
    }
  }
}
