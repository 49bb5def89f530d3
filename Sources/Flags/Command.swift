/// A program, or one of its subcommands: what it is called, what it takes, what it says about
/// itself. A plain value; nothing is printed and nothing ends the process.
public struct Command: Sendable {
  /// As it is typed.
  public let name: String

  /// One line.
  public let summary: String

  /// Paragraphs below the usage line of the help; a line that begins with a space is kept as it is.
  public let discussion: String

  /// What `--version` answers; empty: the command has no such flag.
  public let version: String

  /// Which exit codes it has, with what they mean here if that is more than their own summary.
  public let exitCodes: [(code: ExitCode, meaning: String?)]

  /// What can be named after it.
  public let subcommands: [Command]
  let elements: [Declaration]

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - elements: flags, arguments and headings, in the order in which the help shows them.
  ///     Subcommands take the flags of the commands above them too.
  ///   - subcommands: if there are any, one of them has to be named.
  public init(
    _ name: String, summary: String, discussion: String = "", version: String = "",
    elements: [any CommandElement] = [], subcommands: [Command] = [],
    exitCodes: [(code: ExitCode, meaning: String?)] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.version = version
    self.elements = elements.map(\.declaration)
    self.subcommands = subcommands
    self.exitCodes = exitCodes
  }
}

/// What a command line asks for.
public enum Invocation: Sendable {
  /// Do it.
  case run(ParsedArguments)

  /// Print this text on standard output and end with success: help, or the version.
  case print(String)
}

/// The values that a command line gave, read by the flags that declared them.
public struct ParsedArguments: Sendable {
  /// The subcommands that were named, outermost first; empty if the command has none.
  public let path: [String]

  let values: [String: any Sendable]

  /// Declarations that the command line gave explicitly.
  let given: Set<String>

  /// The value of a flag, or its default.
  ///
  /// - Precondition: the command declares the flag.
  public subscript<Value>(_ flag: Flag<Value>) -> Value {
    guard let value = values[flag.declaration.title] as? Value else {
      preconditionFailure("\(flag.declaration.title) isn't declared by this command")
    }
    return value
  }

  /// Whether the command line gave the flag, in place of its default.
  public func isGiven<Value>(_ flag: Flag<Value>) -> Bool {
    given.contains(flag.declaration.title)
  }
}

extension Command {
  /// An option of this command, as far as one has to know it to read it from elsewhere than the
  /// command line.
  public enum Option: Sendable {
    /// It has no value.
    case toggle

    /// It has one; a file may give it once, or several times.
    case value(isRepeatable: Bool)
  }

  /// The option of that name, written without its dashes; nil: there is none.
  public func option(named name: String) -> Option? {
    guard let flag = flag(named: name) else { return nil }
    switch flag.form {
    case .toggle: return .toggle
    case .list, .repeatable: return .value(isRepeatable: true)
    default: return .value(isRepeatable: false)
    }
  }

  /// What is wrong with a value of that option; nil: nothing.
  public func problem(ofValue value: String, named name: String) -> String? {
    guard let flag = flag(named: name), flag.form != .toggle else { return nil }
    guard flag.read(value) == nil else { return nil }
    return "\(name) \"\(value)\": expected \(flag.expectation)"
  }

  /// " (did you mean X?)" if an option's name is near enough, else nothing.
  public func suggestion(forOption name: String) -> String {
    Flags.suggestion(for: name, among: flags.map(\.name))
  }

  private var flags: [Declaration] {
    elements.filter { $0.form != .heading && $0.form != .argument && $0.form != .rest }
  }

  private func flag(named name: String) -> Declaration? { flags.first { $0.name == name } }
}
