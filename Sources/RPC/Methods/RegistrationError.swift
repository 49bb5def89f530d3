/// A mistake in how services were registered, found when a server starts.
public struct RegistrationError: Error, Sendable, CustomStringConvertible {
  /// The kind of mistake; more may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// Makes a code that isn't among the named ones.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A method has no authorization rule.
    public static let missingAuthorization = Code(rawValue: "missing-authorization")

    /// A method was registered twice.
    public static let duplicateMethod = Code(rawValue: "duplicate-method")

    /// An immediate handler or a rule is for a method that has no handler.
    public static let unknownMethod = Code(rawValue: "unknown-method")

    /// An immediate handler said that it answered, and didn't.
    public static let answeredNothing = Code(rawValue: "answered-nothing")

    /// A method has an immediate handler, and more than one message in a direction.
    public static let streamingImmediate = Code(rawValue: "streaming-immediate")

    /// An interceptor returned normally without having run the handler.
    public static let skippedHandler = Code(rawValue: "skipped-handler")
  }

  /// The kind of mistake.
  public let code: Code

  /// The paths of the methods that it is about.
  public let methods: [String]

  /// What is wrong and what to do.
  public let description: String

  init(_ code: Code, _ methods: [String], _ text: String) {
    self.code = code
    self.methods = methods
    self.description = text
  }

  static func missingAuthorization(_ methods: [String]) -> RegistrationError {
    RegistrationError(
      .missingAuthorization, methods,
      "no authorization rule for \(methods.joined(separator: ", ")): give one with "
        + "MethodRegistry.authorize, or .anyone")
  }

  static func duplicate(_ methods: [String]) -> RegistrationError {
    RegistrationError(
      .duplicateMethod, methods, "registered twice: \(methods.joined(separator: ", "))")
  }

  static func unknown(_ methods: [String]) -> RegistrationError {
    RegistrationError(
      .unknownMethod, methods,
      "a rule, an immediate handler or a place to run, but no handler, for "
        + "\(methods.joined(separator: ", ")): add the service that implements it")
  }

  static func answeredNothing(_ method: MethodDescriptor) -> RegistrationError {
    RegistrationError(
      .answeredNothing, [method.path],
      "the immediate handler of \(method.path) returned .answered without writing a response")
  }

  static func streamingImmediate(_ methods: [String]) -> RegistrationError {
    RegistrationError(
      .streamingImmediate, methods,
      "an immediate handler for \(methods.joined(separator: ", ")): only unary methods can have one"
    )
  }

  static func skippedHandler(_ method: MethodDescriptor) -> RegistrationError {
    RegistrationError(
      .skippedHandler, [method.path],
      "an interceptor of \(method.path) returned without calling next: throw to refuse a call")
  }
}
