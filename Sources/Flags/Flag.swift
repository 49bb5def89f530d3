/// Something that a command declares: a flag, an argument or a heading of its help.
public protocol CommandElement: Sendable {
  /// What it stands for, without its type.
  var declaration: Declaration { get }
}

/// A flag or an argument, without the type of its value.
public struct Declaration: Sendable {
  enum Form {
    /// `--name`, without a value.
    case toggle
    /// `--name VALUE`.
    case single
    /// `--name VALUE…`, also repeated.
    case list
    /// `--name VALUE`, one value each time that it is given.
    case repeatable
    /// A positional argument.
    case argument
    /// All further positional arguments.
    case rest
    /// A title between the flags of the help.
    case heading
  }

  let name: String
  /// `-n`, which means the same as `--name`.
  let short: Character?
  let form: Form
  let placeholder: String
  let help: String
  let isRequired: Bool
  let defaultText: String?
  let expectation: String

  /// Reads one value; nil: refused.
  let read: @Sendable (String) -> (any Sendable)?

  /// Makes the value of the flag from what was given, in order; nil: nothing to be had.
  let collect: @Sendable ([any Sendable]) -> (any Sendable)?

  /// As it is typed: `--name`, or `NAME` of an argument.
  var title: String {
    form == .argument || form == .rest ? name : "--\(name)"
  }
}

/// A flag whose value has the type `Value`: declared once, given to a ``Command``, and used as the
/// key with which the value is read from ``ParsedArguments``.
public struct Flag<Value: Sendable>: CommandElement {
  /// Without the type.
  public let declaration: Declaration

  init(
    _ name: String, short: Character? = nil, form: Declaration.Form, placeholder: String = "",
    help: String,
    isRequired: Bool = false, defaultText: String? = nil, expectation: String = "",
    read: @escaping @Sendable (String) -> (any Sendable)? = { _ in nil },
    collect: @escaping @Sendable ([any Sendable]) -> Value?
  ) {
    declaration = Declaration(
      name: name, short: short, form: form, placeholder: placeholder, help: help,
      isRequired: isRequired, defaultText: defaultText, expectation: expectation, read: read,
      collect: collect)
  }

  /// A flag with a default.
  public init(_ name: String, _ kind: ValueKind<Value>, default value: Value, help: String) {
    self.init(
      name, form: .single, placeholder: kind.placeholder, help: help,
      defaultText: kind.show(value), expectation: kind.expectation,
      read: { kind.read($0) }, collect: { $0.first as? Value ?? value })
  }

  /// A flag that has to be given.
  public init(required name: String, _ kind: ValueKind<Value>, help: String) {
    self.init(
      name, form: .single, placeholder: kind.placeholder, help: help, isRequired: true,
      expectation: kind.expectation, read: { kind.read($0) }, collect: { $0.first as? Value })
  }

  /// A positional argument that has to be given. Its name is written in capitals.
  public init(argument name: String, _ kind: ValueKind<Value>, help: String) {
    self.init(
      name, form: .argument, placeholder: name, help: help, isRequired: true,
      expectation: kind.expectation, read: { kind.read($0) }, collect: { $0.first as? Value })
  }

  /// A flag that may be left out.
  ///
  /// - Parameter short: Another name, of one letter behind one dash.
  public init<Wrapped: Sendable>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Wrapped>, help: String
  ) where Value == Wrapped? {
    self.init(
      name, short: short, form: .single, placeholder: kind.placeholder, help: help,
      expectation: kind.expectation, read: { kind.read($0) },
      collect: { .some($0.first as? Wrapped) })
  }

  /// A positional argument that may be left out.
  public init<Wrapped: Sendable>(
    optionalArgument name: String, _ kind: ValueKind<Wrapped>, help: String
  ) where Value == Wrapped? {
    self.init(
      name, form: .argument, placeholder: name, help: help, expectation: kind.expectation,
      read: { kind.read($0) }, collect: { .some($0.first as? Wrapped) })
  }

  /// A flag that takes several values up to the next flag, and may be repeated.
  public init<Element: Sendable>(
    list name: String, _ kind: ValueKind<Element>, isRequired: Bool = false, help: String
  ) where Value == [Element] {
    self.init(
      name, form: .list, placeholder: kind.placeholder, help: help, isRequired: isRequired,
      expectation: kind.expectation, read: { kind.read($0) },
      collect: { $0.compactMap { $0 as? Element } })
  }

  /// A flag that takes one value and may be repeated: nothing behind the value belongs to it.
  ///
  /// - Parameters:
  ///   - short: Another name, of one letter behind one dash.
  ///   - isRequired: Whether it has to be given at least once.
  public init<Element: Sendable>(
    repeatable name: String, short: Character? = nil, _ kind: ValueKind<Element>,
    isRequired: Bool = false, help: String
  ) where Value == [Element] {
    self.init(
      name, short: short, form: .repeatable, placeholder: kind.placeholder, help: help,
      isRequired: isRequired, expectation: kind.expectation, read: { kind.read($0) },
      collect: { $0.compactMap { $0 as? Element } })
  }

  /// All positional arguments that no other takes.
  public init<Element: Sendable>(
    arguments name: String, _ kind: ValueKind<Element>, isRequired: Bool = false, help: String
  ) where Value == [Element] {
    self.init(
      name, form: .rest, placeholder: name, help: help, isRequired: isRequired,
      expectation: kind.expectation, read: { kind.read($0) },
      collect: { $0.compactMap { $0 as? Element } })
  }
}

extension Flag where Value == Bool {
  /// A flag without a value: true if it was given.
  ///
  /// - Parameter short: Another name, of one letter behind one dash.
  public init(toggle name: String, short: Character? = nil, help: String) {
    self.init(name, short: short, form: .toggle, help: help, collect: { !$0.isEmpty })
  }
}

/// A title between the flags of the help.
public struct Heading: CommandElement {
  /// As an element without a value.
  public let declaration: Declaration

  /// A title; a colon is added to it.
  public init(_ title: String) {
    declaration = Declaration(
      name: title, short: nil, form: .heading, placeholder: "", help: "", isRequired: false,
      defaultText: nil, expectation: "", read: { _ in nil }, collect: { _ in nil })
  }
}
