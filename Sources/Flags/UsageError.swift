/// Why a command line was refused, in one line that says what to change.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of mistake it is. Open: more may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// Its stable spelling, for programs.
    public let rawValue: String

    /// A code by its spelling.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A flag that the command doesn't have.
    public static let unknownFlag = Code(rawValue: "unknown-flag")

    /// A subcommand that doesn't exist, or none where one is needed.
    public static let unknownCommand = Code(rawValue: "unknown-command")

    /// A flag stands without the value that it needs.
    public static let missingValue = Code(rawValue: "missing-value")

    /// A value that isn't one of its kind, or is out of its range.
    public static let invalidValue = Code(rawValue: "invalid-value")

    /// A required flag or argument isn't there.
    public static let missing = Code(rawValue: "missing")

    /// A flag that takes one value was given twice.
    public static let repeated = Code(rawValue: "repeated")

    /// An argument too many.
    public static let unexpectedArgument = Code(rawValue: "unexpected-argument")
  }

  /// What kind of mistake it is.
  public let code: Code

  /// One line, without the program's name.
  public let message: String

  /// The command that refused, as it is typed: `onside-load run`.
  public let command: String

  /// An error of a command; the parser fills in which command.
  public init(_ code: Code, _ message: String, command: String = "") {
    self.code = code
    self.message = message
    self.command = command
  }

  /// What is printed on standard error.
  public var description: String {
    command.isEmpty ? message : "\(command): \(message) (see \(command) --help)"
  }

  func within(_ command: String) -> UsageError {
    UsageError(code, message, command: command)
  }
}
