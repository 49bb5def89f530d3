import Flags
import Glibc
import Logging
import OnsideServices
import RPCTransport
import Synchronization

/// One run of the server: from its command line to the end of the process.
final class ServerProcess: Sendable {
  /// The signals that it handles. To be blocked before any thread is started.
  static let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1]

  private let arguments: ParsedArguments
  private let log: Logger
  private let state = Mutex(State())

  private struct State {
    /// Nil while the server is starting.
    var server: MarketplaceServer?
    var isStopping = false

    /// A reload that runs, and whether another one was asked for meanwhile.
    var isReloading = false
    var reloadsAgain = false
  }

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
    log = Logger(
      level: LogLevel(name: arguments[ServeFlags.logLevel]) ?? .info,
      format: LogFormat(rawValue: arguments[ServeFlags.logFormat]) ?? .text)
  }

  /// Starts serving; returns when the server is ready. The process ends with a signal.
  func start() async {
    let descriptors = DescriptorLimit.raise()
    do throws(StartError) {
      let configuration = try MarketplaceServerConfiguration(arguments)
      let group = try startLoops()
      let server = try await MarketplaceServer.start(configuration, group: group, log: log)
      log.info(
        "listening",
        [
          "on": .string(server.address), "loops": .count(group.loops.count),
          "store": .string(configuration.store.text), "descriptors": .count(descriptors),
        ])
      state.withLock { $0.server = server }
      reportMetrics(server, group.first)
      StandardOutput.write("listening on \(server.address)\n")
      // A signal that came while the server was starting has ended the process.
    } catch {
      ServeCommand.command.fail(error.exitCode, error.message)
    }
  }

  private func reportMetrics(_ server: MarketplaceServer, _ loop: EventLoop) {
    let seconds = arguments[ServeFlags.metricsInterval]
    guard seconds > 0 else { return }
    loop.post { MetricsReport.write(server, every: .seconds(seconds), on: loop) }
  }

  private func startLoops() throws(StartError) -> EventLoopGroup {
    do throws(SystemError) {
      let group = try EventLoopGroup(
        loops: arguments[ServeFlags.loops],
        pollBudget: .microseconds(arguments[ServeFlags.poll]))
      source.withLock {
        $0 = try? SignalSource(Self.signals, loop: group.first) { [self] in
          received($0)
        }
      }
      return group
    } catch {
      throw StartError(.resources, "no event loops: \(error); raise the limit (ulimit -n)")
    }
  }

  private let source = Mutex<SignalSource?>(nil)

  private func received(_ signal: Int32) {
    switch signal {
    case SIGHUP: reload()
    case SIGUSR1: state.withLock { $0.server }.map(MetricsReport.write)
    default: stop(signal)
    }
  }

  private func stop(_ signal: Int32) {
    let (server, isSecond) = state.withLock { state in
      defer { state.isStopping = true }
      return (state.server, state.isStopping)
    }
    if isSecond {
      log.warning("ended by a second signal: calls may be lost")
      exit(ExitCode.failure.rawValue)
    }
    guard let server else {
      log.info("ended while starting: nothing was served yet")
      exit(ExitCode.success.rawValue)
    }
    log.info(
      "draining: accepted calls end, then the server does; a second signal ends it at once",
      ["signal": .string(signal == SIGINT ? "SIGINT" : "SIGTERM")])
    let limit = Duration.seconds(arguments[ServeFlags.drainTimeout])
    Task { [log, arguments] in
      let isClean = await server.drain(within: limit)
      log.reportSuppressed()
      if arguments[ServeFlags.metricsInterval] > 0 { MetricsReport.write(server) }
      if isClean {
        log.info("drained")
      } else {
        log.warning("calls were lost at the end of --drain-timeout")
      }
      exit(isClean ? ExitCode.success.rawValue : ExitCode.failure.rawValue)
    }
  }

  private func reload() {
    let server = state.withLock { state -> MarketplaceServer? in
      guard let server = state.server, !state.isStopping else { return nil }
      if state.isReloading {
        state.reloadsAgain = true
        return nil
      }
      state.isReloading = true
      return server
    }
    guard let server else { return }
    Task { [self] in
      repeat { await server.reload() } while reloadsAgain()
    }
  }

  /// Whether a signal came during the reload that has just ended.
  private func reloadsAgain() -> Bool {
    state.withLock { state in
      defer { state.reloadsAgain = false }
      if !state.reloadsAgain { state.isReloading = false }
      return state.reloadsAgain
    }
  }
}
