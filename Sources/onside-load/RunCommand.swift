import Flags
import Glibc
import LoadGenerator
import LoadReporting
import RPCTransport

/// `onside-load run`: makes the load and writes the report.
struct RunCommand {
  let arguments: ParsedArguments
  let command = LoadFlags.command

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  func execute() async -> ExitCode {
    let files = reportFiles()
    let plan = plan()
    if arguments[LoadFlags.dryRun] { return printPlan(plan) }
    let groups = makeLoops()
    let control = RunControl()
    onSignals(groups[0].first) { control.stop() }
    let code: ExitCode
    do throws(SetupError) {
      var prometheus = try prometheus(plan)
      var report = try await run(plan, groups, control, &prometheus)
      files.judge(&report)
      write(report, files)
      code = ExitCode(report.verdict)
    } catch {
      command.complain(error.description)
      code = ExitCode(error.code)
    }
    for group in groups { await group.shutdown() }
    return code
  }

  /// The plan that the command line describes; a wrong one ends the process.
  func plan() -> LoadPlan {
    do throws(PlanError) {
      return try LoadPlan(arguments, applicationKey: applicationKey())
    } catch {
      command.fail(.usage, error.description)
    }
  }

  /// What Prometheus is told of one load, or of all probes of a search; nil: nothing.
  func prometheus(_ plan: LoadPlan) throws(SetupError) -> PrometheusOutput? {
    let output = try PrometheusOutput(arguments, scenario: plan.title)
    let isKnown = arguments[LoadFlags.quiet] && arguments[LoadFlags.prometheusListen]?.port != 0
    if let url = output?.url, !isKnown { command.complain("metrics at \(url)") }
    return output
  }

  /// Makes one load.
  func run(
    _ plan: LoadPlan, _ groups: [EventLoopGroup], _ control: RunControl,
    _ prometheus: inout PrometheusOutput?
  ) async throws(SetupError) -> LoadReport {
    var products: ProductPool?
    if plan.parts.contains(where: \.scenario.needsProducts) {
      products = try arguments[LoadFlags.products].map(ProductPool.init(file:)) ?? .example
    }
    var progress = ProgressLine()
    defer { progress.clear() }
    let isQuiet = arguments[LoadFlags.quiet]
    let total = plan.duration.map { (plan.warmup + $0).inSeconds }
    let report = try await makeLoad(
      plan, products, groups, control,
      onStage: { if !isQuiet { progress.show("\(plan.title): \($0)") } },
      onSecond: { second in
        prometheus?.add(second)
        if !isQuiet { progress.show(second, of: plan.title, total: total) }
      })
    if let failure = prometheus?.failure { command.complain("--prometheus-file \(failure)") }
    return report
  }

  /// The plan as the report has it.
  private func printPlan(_ plan: LoadPlan) -> ExitCode {
    do throws(FileError) {
      let text = plan.json(loops: arguments[LoadFlags.loops]).indented()
      try writeText(text, to: STDOUT_FILENO)
      return .success
    } catch {
      command.fail(.file, "\(error)")
    }
  }

  func makeLoops() -> [EventLoopGroup] {
    do throws(SystemError) {
      return try LoadLoops.make(arguments[LoadFlags.loops])
    } catch {
      command.fail(.resources, "\(error); use fewer --loops or raise the limit with ulimit -n")
    }
  }

  /// The first signal asks for a partial report; the second ends the process at once.
  func onSignals(_ loop: EventLoop, _ stop: @escaping @Sendable () -> Void) {
    let count = SignalCount()
    do throws(SystemError) {
      _ = try SignalSource([SIGINT, SIGTERM], loop: loop) { _ in
        if count.increment() > 1 { exit(ExitCode.interrupted.rawValue) }
        stop()
      }
    } catch {
      command.fail(.resources, "\(error)")
    }
  }

  private func applicationKey() -> String? {
    guard let path = arguments[LoadFlags.appKey] else { return nil }
    do throws(FileError) {
      return try readText(path).split(whereSeparator: \.isWhitespace).first.map { String($0) }
    } catch {
      command.fail(.file, "--app-key-file \(error)")
    }
  }

  /// Wrong conditions are found before any load is made.
  private func reportFiles() -> ReportFiles {
    do throws(ThresholdError) {
      return try ReportFiles(arguments, isRun: true)
    } catch {
      command.fail(.usage, "--fail-if \(error)")
    }
  }

  private func write(_ report: LoadReport, _ files: ReportFiles) {
    let path = arguments[LoadFlags.json]
    do throws(FileError) {
      if path != "-" {
        try writeText(report.text(TextStyle(descriptor: STDOUT_FILENO)), to: STDOUT_FILENO)
      }
      if let path {
        let text = report.json.indented()
        if path == "-" {
          try writeText(text, to: STDOUT_FILENO)
        } else {
          try writeText(text, toFile: path)
        }
      }
      try files.write(report)
    } catch {
      command.fail(.file, "\(error)")
    }
  }
}

/// Counts on one loop.
private final class SignalCount: @unchecked Sendable {
  private var count = 0

  func increment() -> Int {
    count += 1
    return count
  }
}
