/// Decides who may call a method.
///
/// Every method has one: a server with a method that has none doesn't start, so that forgetting is
/// not the same as allowing. The check runs before the request is decoded.
public struct AuthorizationRule: Sendable {
  /// Looks at a call's metadata and peer, and refuses by throwing.
  ///
  /// It runs on the connection's event loop and must not block. What it returns becomes the
  /// context's `principal`.
  public typealias Check = @Sendable (_ context: ServerContext) throws(RPCError) -> (any Sendable)?

  /// Names the rule in listings and logs.
  public let name: String

  /// The check; nil lets everybody in.
  package let check: CheckBox?

  /// A closure in a struct: an optional bare one would be called through a thunk.
  package struct CheckBox: Sendable {
    package let run: Check
  }

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - name: Names the rule in listings and logs.
  ///   - check: Returns who the caller is, or throws a refusal.
  public init(_ name: String, check: @escaping Check) {
    self.name = name
    self.check = CheckBox(run: check)
  }

  private init(unchecked name: String) {
    self.name = name
    self.check = nil
  }

  /// Lets everybody call the method.
  public static let anyone = AuthorizationRule(unchecked: "anyone")
}
