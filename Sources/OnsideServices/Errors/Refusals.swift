import OnsideDomain
public import RPC

extension RPCError {
  /// The error that a caller gets for a refusal: its status code, a text for people, and the reason
  /// with named values for programs.
  ///
  /// - Parameters:
  ///   - reason: What the call is refused for.
  ///   - message: Names the value and the limit, and says what to do. Never a token, key or code.
  ///   - values: The same for programs.
  ///   - cause: What made this refusal; it stays in the process.
  init(
    _ reason: RefusalReason, _ message: String, _ values: [String: String] = [:],
    cause: (any Error)? = nil
  ) {
    self.init(
      StatusCode(rawValue: UInt32(reason.statusCode)), message,
      info: ErrorInfo(reason: reason.rawValue, domain: RefusalReason.domain, values: values),
      cause: cause)
  }

  /// Refuses an identifier that breaks its rule, under the reason of its field.
  init(_ reason: RefusalReason, _ invalid: InvalidIdentifier, _ rule: IdentifierRule) {
    var values = ["field": invalid.field, "limit": String(rule.maximumBytes)]
    if let position = invalid.position { values["position"] = String(position) }
    self.init(
      reason,
      "\(invalid); send 1 to \(rule.maximumBytes) bytes of UTF-8 without control characters",
      values)
  }

  /// The reason of the marketplace that this error was refused for; nil for other errors.
  public var refusalReason: RefusalReason? {
    guard let info, info.domain == RefusalReason.domain else { return nil }
    return RefusalReason(rawValue: info.reason)
  }
}
