extension RPCError {
  /// The text that a caller gets for an error that isn't an `RPCError`: what such an error says is
  /// for the log, since nobody has looked at what secrets are in it.
  public static let internalErrorText = "internal error"

  /// What a caller is told about an error that a handler threw.
  ///
  /// An `RPCError` is told as it is, a `CancellationError` as CANCELLED, and all others as UNKNOWN
  /// with a fixed text and the error as `cause`. So is an `RPCError` with the code OK, which is
  /// none.
  public init(thrown error: any Error) {
    switch error {
    case let error as RPCError where error.code != .ok: self = error
    case is CancellationError: self.init(.cancelled, "the call was cancelled", cause: error)
    default: self.init(.unknown, RPCError.internalErrorText, cause: error)
    }
  }

  /// What is for the server's log alone: the cause of an error that says no more than that
  /// something failed.
  package var hiddenCause: (any Error)? { code == .internal || code == .unknown ? cause : nil }

  /// The error of a call that was answered with this status.
  package init(_ status: Status, wasStarted: Bool) {
    self.init(
      status.code, status.message, details: status.details, trailers: status.trailers,
      pushback: status.pushback, phase: .answered, wasStarted: wasStarted)
  }

  /// The part of the error that is for the peer.
  package var status: Status {
    Status(
      code: code, message: message, details: details, trailers: trailers, pushback: pushback)
  }
}
