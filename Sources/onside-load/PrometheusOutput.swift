import Flags
import Glibc
import LoadGenerator
import LoadReporting
import MetricsEndpoint
import RPCTransport
import Synchronization

/// What Prometheus is told while a load goes on: in a file, over HTTP, or both.
struct PrometheusOutput {
  /// Read by the endpoint's thread, too.
  private final class State: Sendable {
    let text: Mutex<PrometheusText>

    init(scenario: String) {
      text = Mutex(PrometheusText(scenario: scenario))
    }
  }

  private let state: State

  /// Replaced each second: who reads it sees one whole state or another.
  private let file: String?
  private let endpoint: MetricsEndpoint?

  /// Why the file couldn't be written, the first time; it doesn't stop the load.
  private(set) var failure: FileError?

  /// Nil: nothing was asked for.
  ///
  /// - Throws: ``SetupError`` if it can't listen where it was told to.
  init?(_ arguments: ParsedArguments, scenario: String) throws(SetupError) {
    file = arguments[LoadFlags.prometheus]
    let address = arguments[LoadFlags.prometheusListen]
    guard file != nil || address != nil else { return nil }
    let state = State(scenario: scenario)
    self.state = state
    do throws(MetricsEndpointError) {
      endpoint = try address.map { address throws(MetricsEndpointError) in
        try MetricsEndpoint(host: address.host, port: address.port ?? 0) {
          state.text.withLock { $0.text }
        }
      }
    } catch {
      throw SetupError(.address, "--prometheus-listen \(error)")
    }
  }

  /// Where it can be fetched; nil: there is a file only.
  var url: String? { endpoint?.url }

  /// Adds a second.
  mutating func add(_ second: SecondFigures) {
    let text = state.text.withLock { text in
      text.add(second)
      return text.text
    }
    guard let file else { return }
    do throws(FileError) {
      let part = file + ".part"
      try writeText(text, toFile: part)
      guard rename(part, file) == 0 else { throw FileError(file, errno) }
    } catch {
      failure = failure ?? error
    }
  }
}
