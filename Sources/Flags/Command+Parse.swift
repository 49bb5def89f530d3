extension Command {
  /// Reads a command line.
  ///
  /// `--name VALUE`, `--name=VALUE`; `--` ends the flags. A flag that takes several values takes
  /// all up to the next flag. A value may begin with a single dash (`-1`, `-`), not with two.
  ///
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - columns: the width that the help is wrapped to.
  /// - Throws: the first mistake.
  public func parse(
    _ arguments: [String], columns: Int = 80
  ) throws(UsageError) -> Invocation {
    var parser = Parser(root: self)
    do throws(UsageError) {
      for (index, argument) in arguments.enumerated() where parser.outcome == nil {
        try parser.take(argument, next: index + 1 < arguments.count ? arguments[index + 1] : nil)
      }
      switch parser.outcome {
      case .help: return .print(parser.chain.help(columns: columns))
      case .version: return .print("\(name) \(version)\n")
      case nil: return .run(try parser.finish())
      }
    } catch {
      throw error.within(parser.chain.path)
    }
  }
}

/// The command that was named, and those above it.
struct CommandChain {
  var commands: [Command]

  var leaf: Command { commands[commands.count - 1] }

  var path: String { commands.map(\.name).joined(separator: " ") }

  /// The flags of all, the innermost first, and the arguments of the innermost.
  var declarations: [Declaration] {
    commands.reversed().enumerated().flatMap { depth, command in
      command.elements.filter { element in
        switch element.form {
        case .heading: false
        case .argument, .rest: depth == 0
        case .toggle, .single, .list, .repeatable: true
        }
      }
    }
  }

  func flag(named name: String) -> Declaration? {
    declarations.first { $0.form != .argument && $0.form != .rest && $0.name == name }
  }

  /// The flag that is meant by `-x`; nil when the word isn't that of one.
  func flag(short word: String) -> Declaration? {
    guard word.count == 2, word.first == "-" else { return nil }
    return declarations.first { $0.short == word.last }
  }
}

private struct Parser {
  enum Outcome { case help, version }

  var chain: CommandChain
  var outcome: Outcome?
  private var values: [String: [any Sendable]] = [:]
  private var positional: [String] = []
  private var flagsEnded = false

  /// The flag that takes the next words: one more value, or all up to the next flag.
  private var pending: Declaration?

  init(root: Command) {
    chain = CommandChain(commands: [root])
  }

  mutating func take(_ word: String, next: String?) throws(UsageError) {
    if flagsEnded {
      positional.append(word)
    } else if word == "--" {
      flagsEnded = true
      pending = nil
    } else if word.hasPrefix("--") {
      pending = nil
      try takeFlag(String(word.dropFirst(2)), next: next)
    } else if let flag = pending {
      try add(word, to: flag)
      if flag.form != .list { pending = nil }
    } else if let flag = chain.flag(short: word) {
      try takeFlag(flag.name, next: next)
    } else if word == "-h" {
      outcome = .help
    } else if word.hasPrefix("-"), word != "-", Double(word) == nil {
      throw unknownFlag(word)
    } else if positional.isEmpty, !chain.leaf.subcommands.isEmpty {
      try takeCommand(word)
    } else {
      positional.append(word)
    }
  }

  private mutating func takeFlag(_ text: String, next: String?) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let flag = chain.flag(named: name) else {
      if parts.count == 1, name == "help" {
        outcome = .help
      } else if parts.count == 1, name == "version", !chain.commands[0].version.isEmpty {
        outcome = .version
      } else {
        throw unknownFlag("--\(name)")
      }
      return
    }
    if flag.form != .list, flag.form != .repeatable, values[flag.title] != nil {
      throw UsageError(.repeated, "\(flag.title) was given twice; leave one out")
    }
    if parts.count == 2 {
      guard flag.form != .toggle else {
        throw UsageError(.invalidValue, "\(flag.title) takes no value: leave out \"=\(parts[1])\"")
      }
      try add(String(parts[1]), to: flag)
    } else if flag.form == .toggle {
      values[flag.title] = [true]
    } else {
      guard let next, !next.hasPrefix("--") else {
        throw UsageError(
          .missingValue, "\(flag.title) needs a value: expected \(flag.expectation)")
      }
      pending = flag
    }
  }

  private mutating func takeCommand(_ word: String) throws(UsageError) {
    let known = chain.leaf.subcommands
    guard let command = known.first(where: { $0.name == word }) else {
      throw UsageError(
        .unknownCommand,
        "unknown command \(quoted(word))" + suggestion(for: word, among: known.map(\.name)))
    }
    chain.commands.append(command)
  }

  private mutating func add(_ text: String, to declaration: Declaration) throws(UsageError) {
    guard let value = declaration.read(text) else {
      throw UsageError(
        .invalidValue,
        "\(declaration.title) \(quoted(text)): expected \(declaration.expectation)")
    }
    values[declaration.title, default: []].append(value)
  }

  private func unknownFlag(_ word: String) -> UsageError {
    var known = chain.declarations.filter { $0.title.hasPrefix("--") }.map(\.title) + ["--help"]
    if !chain.commands[0].version.isEmpty { known.append("--version") }
    return UsageError(
      .unknownFlag, "unknown flag \(quoted(word))" + suggestion(for: word, among: known))
  }

  /// Hands the positional words to the arguments, and looks for what is missing.
  mutating func finish() throws(UsageError) -> ParsedArguments {
    guard chain.leaf.subcommands.isEmpty else {
      let names = chain.leaf.subcommands.map(\.name).joined(separator: ", ")
      throw UsageError(.unknownCommand, "a command is needed: \(names)")
    }
    let declarations = chain.declarations
    var words = positional[...]
    for argument in declarations where argument.form == .argument {
      if let word = words.popFirst() { try add(word, to: argument) }
    }
    if let rest = declarations.first(where: { $0.form == .rest }) {
      while let word = words.popFirst() { try add(word, to: rest) }
    }
    if let extra = words.first {
      throw UsageError(.unexpectedArgument, "unexpected argument \(quoted(extra))")
    }
    var collected: [String: any Sendable] = [:]
    for declaration in declarations {
      let given = values[declaration.title] ?? []
      if declaration.isRequired, given.isEmpty { throw missing(declaration) }
      // An inner command's flag hides one of the same name above it.
      if collected[declaration.title] == nil {
        collected[declaration.title] = declaration.collect(given)
      }
    }
    return ParsedArguments(
      path: chain.commands.dropFirst().map(\.name), values: collected, given: Set(values.keys))
  }

  private func missing(_ declaration: Declaration) -> UsageError {
    let value = declaration.form == .argument || declaration.form == .rest
    let title = value ? declaration.name : "\(declaration.title) \(declaration.placeholder)"
    return UsageError(.missing, "\(title) is needed: expected \(declaration.expectation)")
  }
}
