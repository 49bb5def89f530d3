/// How a call failed: the status that its server gave, or what kept it from getting one.
///
/// A handler throws one to refuse its call: code, message, details and trailers reach the caller.
/// `cause` never leaves the process.
public struct RPCError: Error, Sendable {
  /// How far a call had come when it failed.
  public struct Phase: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// Makes a phase that isn't among the named ones.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Before it was sent: it waited for a connection or for a free slot, or was refused locally.
    public static let queued = Phase(rawValue: "queued")

    /// The name of the server was being looked up.
    public static let resolving = Phase(rawValue: "resolving")

    /// The connection was being made.
    public static let connecting = Phase(rawValue: "connecting")

    /// The connection's TLS handshake was under way.
    public static let handshake = Phase(rawValue: "handshake")

    /// It was sent; its answer hadn't come whole.
    public static let sent = Phase(rawValue: "sent")

    /// The server answered with this error.
    public static let answered = Phase(rawValue: "answered")

    /// This is the server's side of the call: a handler or the runtime made the error.
    public static let serving = Phase(rawValue: "serving")

    public var description: String { rawValue }
  }

  /// The kind of failure, for programs.
  public var code: StatusCode

  /// What happened and what to do, for people. Any UTF-8; cut at 8 KiB on the wire.
  public var message: String

  /// Typed details, in the order they were given.
  public var details: [StatusDetail]

  /// The metadata that came, or is to go, with the status.
  public var trailers: Metadata

  /// What the server says about sending the call again; a handler sets it for clients that would
  /// retry. Nil leaves it to the client's policy.
  public var pushback: RetryPushback?

  /// What made this error in this process.
  public var cause: (any Error)?

  /// How far the call had come.
  public var phase: Phase

  /// False when the server certainly never started the call: it is safe to make again.
  public var wasStarted: Bool

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened and what to do.
  ///   - details: Typed details for programs.
  ///   - trailers: Metadata that goes with the status.
  ///   - pushback: What the client is to do about sending the call again.
  ///   - cause: What made this error; it stays in the process.
  ///   - phase: How far the call had come.
  ///   - wasStarted: False when the server certainly never started the call.
  public init(
    _ code: StatusCode, _ message: String, details: [StatusDetail] = [],
    trailers: Metadata = Metadata(), pushback: RetryPushback? = nil, cause: (any Error)? = nil,
    phase: Phase = .serving, wasStarted: Bool = true
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.trailers = trailers
    self.pushback = pushback
    self.cause = cause
    self.phase = phase
    self.wasStarted = wasStarted
  }
}

extension RPCError: CustomStringConvertible {
  /// Code, message, how far the call had come, and whether it is safe to make again.
  public var description: String {
    var text = "\(code): \(message)"
    if phase != .serving { text += " (\(phase)\(wasStarted ? "" : ", not started"))" }
    if let cause { text += "; cause: \(cause)" }
    return text
  }
}
