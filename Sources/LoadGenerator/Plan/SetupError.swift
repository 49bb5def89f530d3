/// Why a run couldn't begin: one line that says what to do.
public struct SetupError: Error, Sendable, CustomStringConvertible {
  /// What kind of problem it is.
  public enum Code: Sendable {
    /// The server can't be reached.
    case address

    /// TLS: its certificate isn't trusted, a file of ours can't be used, no protocol in common.
    case certificate

    /// This machine's limits are too low.
    case resources

    /// The products file can't be used.
    case products

    /// The server refused what the load needs to begin: the log-ins, the products.
    case refused

    /// Stopped by a signal before the load began.
    case interrupted

    /// The plan contradicts itself.
    case plan
  }

  /// What kind of problem it is.
  public let code: Code

  /// One line.
  public let description: String

  /// An error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
