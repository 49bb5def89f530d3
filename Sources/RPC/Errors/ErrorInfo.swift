import ProtobufWire

/// Why a call failed, for programs: the detail `rpc.v1.ErrorInfo` of a status.
///
/// ```swift
/// throw RPCError(
///   .notFound, "no app '\(id)' is registered",
///   info: ErrorInfo(reason: "APP_NOT_REGISTERED", domain: "onside.v1", values: ["app": id]))
/// ```
public struct ErrorInfo: Sendable, Hashable {
  /// UPPER_SNAKE_CASE, at most 63 characters; unique within the domain, and never spelt anew.
  public var reason: String

  /// Who defines the reason: `onside.v1`.
  public var domain: String

  /// Named values: the limit that was hit, the identifier that was refused.
  public var values: [String: String]

  /// The type that a detail with such a message names.
  public static let typeURL = "type.googleapis.com/rpc.v1.ErrorInfo"

  /// Makes an error info.
  public init(reason: String, domain: String, values: [String: String] = [:]) {
    self.reason = reason
    self.domain = domain
    self.values = values
  }
}

extension RPCError {
  /// Makes an error with a reason for programs.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: What happened and what to do.
  ///   - info: The reason, for programs.
  ///   - trailers: Metadata that goes with the status.
  ///   - cause: What made this error; it stays in the process.
  public init(
    _ code: StatusCode, _ message: String, info: ErrorInfo, trailers: Metadata = Metadata(),
    cause: (any Error)? = nil
  ) {
    self.init(code, message, details: [info.detail], trailers: trailers, cause: cause)
  }

  /// The first `rpc.v1.ErrorInfo` among the details; nil when there is none that can be read.
  public var info: ErrorInfo? {
    for detail in details where detail.typeURL.hasSuffix("/rpc.v1.ErrorInfo") {
      if let info = ErrorInfo(detail) { return info }
    }
    return nil
  }
}
