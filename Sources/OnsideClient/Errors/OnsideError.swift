public import OnsideDomain
public import RPC

/// Why something that a client was asked for didn't happen.
public struct OnsideError: Error, Sendable {
  /// The kind of failure. An open set: later versions may have more.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// Makes a code that isn't among the named ones.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The call needs a session, and there is none. Log in first.
    public static let notSignedIn = Code(rawValue: "notSignedIn")

    /// Somebody else is signed in, or is signing in. Log out first.
    public static let alreadySignedIn = Code(rawValue: "alreadySignedIn")

    /// The user changed while the call was under way: its answer belongs to an earlier session and
    /// was dropped.
    public static let superseded = Code(rawValue: "superseded")

    /// The session was made, but its profile can't be loaded. The session was ended again.
    public static let profileUnavailable = Code(rawValue: "profileUnavailable")

    /// The service doesn't accept the session any more: it is expired, ended or unknown. The client
    /// has forgotten it.
    public static let sessionLost = Code(rawValue: "sessionLost")

    /// The service refused the call for the reason in `reason`.
    public static let refused = Code(rawValue: "refused")

    /// The service can't be reached, or can't answer now. The call may be repeated.
    public static let unavailable = Code(rawValue: "unavailable")

    /// No answer came in time. Whether the call was carried out isn't known.
    public static let deadlineExceeded = Code(rawValue: "deadlineExceeded")

    /// The user didn't sign in: closed the screen, refused, or let the time run out; or no way to
    /// sign in worked, which the cause tells.
    public static let loginDiscarded = Code(rawValue: "loginDiscarded")

    /// An external profile can't have this: it buys consumables, through Apple Pay.
    public static let notSupportedForExternalLogin = Code(
      rawValue: "notSupportedForExternalLogin")

    /// An external profile pays through Apple Pay, which isn't available here.
    public static let applePayRequired = Code(rawValue: "applePayRequired")

    /// This needs the service, and the library runs from a local file.
    public static let notSupportedInLocalTesting = Code(rawValue: "notSupportedInLocalTesting")

    /// The queue has no transaction with this identifier: it was finished already, or is another
    /// user's.
    public static let unknownTransaction = Code(rawValue: "unknownTransaction")

    /// A file of the library's own can't be read or written.
    public static let storeFailed = Code(rawValue: "storeFailed")

    /// The caller's task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")

    /// The service's answer can't be understood.
    public static let invalidResponse = Code(rawValue: "invalidResponse")

    /// Any other failure of the service.
    public static let failed = Code(rawValue: "failed")

    public var description: String { rawValue }
  }

  /// The kind of failure, for programs.
  public var code: Code

  /// What happened and what to do, for people.
  public var message: String

  /// The service's reason, where it gave one of the marketplace's.
  public var reason: RefusalReason?

  /// Named values that the service gave with the reason.
  public var values: [String: String]

  /// The failed call.
  public var cause: RPCError?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, reason: RefusalReason? = nil, values: [String: String] = [:],
    cause: RPCError? = nil
  ) {
    self.code = code
    self.message = message
    self.reason = reason
    self.values = values
    self.cause = cause
  }
}

extension OnsideError {
  /// What a failed call means to somebody who uses the marketplace.
  public init(_ error: RPCError) {
    let info = error.info.flatMap { $0.domain == RefusalReason.domain ? $0 : nil }
    let reason = info.flatMap { RefusalReason(rawValue: $0.reason) }
    self.init(
      Self.code(error, reason), error.message, reason: reason, values: info?.values ?? [:],
      cause: error)
  }

  private static func code(_ error: RPCError, _ reason: RefusalReason?) -> Code {
    switch reason {
    case .sessionExpired, .sessionEnded, .sessionInvalid: return .sessionLost
    case .sessionMissing: return .notSignedIn
    case .processorUnavailable, .storeOverloaded, .storeFailed: return .unavailable
    case .some: return .refused
    case nil: break
    }
    switch error.code {
    case .unavailable, .resourceExhausted: return .unavailable
    case .deadlineExceeded: return .deadlineExceeded
    case .cancelled: return .cancelled
    default: return .failed
    }
  }

  /// Whether the same question may be answered a little later.
  var isTransient: Bool { code == .unavailable || code == .deadlineExceeded }

  static func invalidResponse(_ what: String) -> OnsideError {
    OnsideError(
      .invalidResponse, "the service's answer can't be used: \(what); update this client")
  }
}

extension OnsideError: CustomStringConvertible {
  /// The message, with the reason where there is one.
  public var description: String {
    reason.map { "\(message) (\($0.rawValue))" } ?? "\(message) (\(code))"
  }
}
