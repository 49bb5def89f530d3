/// Why a server didn't start. Nothing of it is left running.
public struct StartError: Error, Sendable, CustomStringConvertible {
  /// What stood in the way; more may come.
  public struct Code: Hashable, Sendable {
    let name: String

    /// An address that can't be listened on.
    public static let address = Code(name: "address")

    /// A certificate, key or client CA that can't be used.
    public static let certificate = Code(name: "certificate")

    /// A store that can't be opened or read.
    public static let store = Code(name: "store")

    /// A catalogue that can't be used.
    public static let catalogue = Code(name: "catalogue")

    /// A file of registered apps that can't be used.
    public static let apps = Code(name: "apps")

    /// The system's limits: descriptors, randomness.
    public static let resources = Code(name: "resources")

    /// A fault of the program itself: a method without an authorization rule.
    public static let fault = Code(name: "fault")
  }

  /// What stood in the way.
  public let code: Code

  /// One line that names the thing and says what to do.
  public let message: String

  /// Describes what stood in the way.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
