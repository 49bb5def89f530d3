/// How a program of this project ends. A number means the same in every one of them.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// Everything that was asked for happened.
  case success = 0

  /// It failed while it ran, or was ended by force. Of `onside-load`: calls failed, or none
  /// succeeded.
  case failure = 1

  /// The command line is wrong.
  case usage = 2

  /// An address is wrong, a port is in use, or a server can't be reached.
  case address = 3

  /// A certificate, key or CA can't be read, doesn't fit, or isn't trusted.
  case certificate = 4

  /// The store can't be opened: locked by another server, of a newer schema, not writable.
  case store = 5

  /// A catalogue or products file is unreadable or wrong.
  case catalogue = 6

  /// The file of registered apps is unreadable or wrong.
  case apps = 7

  /// The machine's limits don't allow what was asked for: descriptors, ports, memory.
  case resources = 8

  /// An input or output file can't be read or written.
  case file = 9

  /// A check that was made while loading found wrong answers: a token twice, a product missing.
  case checks = 10

  /// Nobody is logged in, or the service doesn't accept the session any more.
  case session = 11

  /// The service refused what was asked for, or a payment failed.
  case refused = 12

  /// The load generator itself couldn't make the load: its figures say little about the server.
  case saturated = 98

  /// A threshold of `--fail-if` was crossed, or a comparison found the run worse.
  case threshold = 99

  /// Stopped by SIGINT, after the partial result was written (128 + the signal's number).
  case interrupted = 130

  /// One line for `--help`.
  public var summary: String {
    switch self {
    case .success: "success"
    case .failure: "failed while running, or ended by force"
    case .usage: "wrong command line"
    case .address: "wrong address, port in use, or server not reachable"
    case .certificate: "certificate, key or CA unreadable, mismatched or not trusted"
    case .store: "store locked, of a newer schema, or not usable"
    case .catalogue: "catalogue or products file unreadable or wrong"
    case .apps: "apps file unreadable or wrong"
    case .resources: "the machine's limits (descriptors, ports) are too low"
    case .file: "a file can't be read or written"
    case .checks: "wrong answers found by the checks while loading"
    case .session: "not logged in, or the session isn't accepted any more"
    case .refused: "the service refused the request, or a payment failed"
    case .saturated: "the load generator itself was the limit"
    case .threshold: "a threshold was crossed"
    case .interrupted: "stopped by SIGINT; the partial result was written"
    }
  }
}
