/// A connection that couldn't be made.
public struct ConnectError: Error, Sendable, Equatable, CustomStringConvertible {
  /// How far it got.
  public enum Phase: String, Sendable {
    /// Looking up the name.
    case resolve
    /// Connecting the socket.
    case tcp
    /// The TLS handshake.
    case tls
  }

  /// The kinds of errors. More may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// A short name.
    public var rawValue: String

    /// A code by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name has no address.
    public static let unknownHost = Code(rawValue: "unknown-host")
    /// Nobody listens there.
    public static let refused = Code(rawValue: "refused")
    /// The network doesn't lead there, or the system has no resources.
    public static let unreachable = Code(rawValue: "unreachable")
    /// This machine has no local port, or no address, for another connection to the server.
    public static let noLocalPort = Code(rawValue: "no-local-port")
    /// This process has no descriptor for another socket.
    public static let noDescriptor = Code(rawValue: "no-descriptor")
    /// The deadline has gone by.
    public static let deadline = Code(rawValue: "deadline")
    /// The server's certificate was refused.
    public static let certificate = Code(rawValue: "certificate")
    /// No application protocol in common.
    public static let noApplicationProtocol = Code(rawValue: "no-application-protocol")
    /// Another failure of TLS.
    public static let tls = Code(rawValue: "tls")
    /// The connection ended during the handshake.
    public static let closed = Code(rawValue: "closed")
    /// The event loop is shutting down.
    public static let shutdown = Code(rawValue: "shutdown")
  }

  /// How far it got.
  public var phase: Phase
  /// What kind of error it is.
  public var code: Code
  /// Where to.
  public var endpoint: Endpoint
  /// What happened, in one line.
  public var text: String

  /// An error.
  ///
  /// - Parameters:
  ///   - phase: How far the attempt got.
  ///   - code: What kind of error it is.
  ///   - endpoint: Where to.
  ///   - text: What happened, in one line.
  public init(_ phase: Phase, _ code: Code, _ endpoint: Endpoint, _ text: String) {
    self.phase = phase
    self.code = code
    self.endpoint = endpoint
    self.text = text
  }

  /// "cannot connect to localhost:1 (tcp): Connection refused".
  public var description: String { "cannot connect to \(endpoint) (\(phase.rawValue)): \(text)" }
}
