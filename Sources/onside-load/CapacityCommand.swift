import Flags
import Glibc
import LoadGenerator
import LoadReporting
import RPCTransport
import Synchronization

/// `onside-load find-capacity`: searches the highest rate that keeps a latency.
struct CapacityCommand {
  private let arguments: ParsedArguments
  private let command = LoadFlags.command

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  func execute() async -> ExitCode {
    let setUp = RunCommand(arguments)
    let plan = setUp.plan()
    let groups = setUp.makeLoops()
    let control = CurrentControl()
    setUp.onSignals(groups[0].first) { control.stop() }
    let code: ExitCode
    do throws(SetupError) {
      var prometheus = try setUp.prometheus(plan)
      let search = CapacityRun(plan, criteria: criteria, limits: limits)
      var progress = ProgressLine()
      let isQuiet = arguments[LoadFlags.quiet]
      let result = try await search.execute(
        onProbe: { if !isQuiet { progress.show("probe \($0.text)") } },
        { plan throws(SetupError) in
          try await setUp.run(plan, groups, control.begin(), &prometheus)
        })
      progress.clear()
      write(result)
      code = exitCode(result)
    } catch {
      command.complain(error.description)
      code = ExitCode(error.code)
    }
    for group in groups { await group.shutdown() }
    return code
  }

  private var criteria: CapacityCriteria {
    var criteria = arguments[LoadFlags.latency]
    criteria.errors = arguments[LoadFlags.errors]
    criteria.delivered = arguments[LoadFlags.delivered]
    return criteria
  }

  private var limits: CapacitySearch.Limits {
    var limits = CapacitySearch.Limits()
    limits.from = arguments[LoadFlags.fromRate]
    limits.to = max(limits.from, arguments[LoadFlags.toRate])
    limits.precision = arguments[LoadFlags.precision]
    limits.votes = arguments[LoadFlags.votes]
    return limits
  }

  private func exitCode(_ result: CapacityResult) -> ExitCode {
    if result.isInterrupted { return .interrupted }
    if result.isLimitedByGenerator { return .saturated }
    return result.capacity == nil ? .failure : .success
  }

  private func write(_ result: CapacityResult) {
    let path = arguments[LoadFlags.json]
    do throws(FileError) {
      if path != "-" { try writeText(result.text, to: STDOUT_FILENO) }
      guard let path else { return }
      let text = result.json.indented()
      if path == "-" {
        try writeText(text, to: STDOUT_FILENO)
      } else {
        try writeText(text, toFile: path)
      }
    } catch {
      command.fail(.file, "\(error)")
    }
  }
}

/// The control of the probe that is under way; once stopped, of all that follow too.
private final class CurrentControl: Sendable {
  private struct State {
    var control: RunControl?
    var isStopped = false
  }

  private let state = Mutex(State())

  func begin() -> RunControl {
    let control = RunControl()
    let isStopped = state.withLock { state in
      state.control = control
      return state.isStopped
    }
    if isStopped { control.stop() }
    return control
  }

  func stop() {
    let control = state.withLock { state in
      state.isStopped = true
      return state.control
    }
    control?.stop()
  }
}
