/// A load written down: options of the command line, one on each line and without their dashes.
///
/// Lines that begin with `#`, and empty ones, say nothing. A line is a name, and behind it the
/// value as it is, without quotes; `scenario` stands for the argument of that name.
public struct ScenarioFile: Sendable, Equatable {
  /// One line that says something.
  public struct Setting: Sendable, Equatable {
    /// The option's name, without dashes.
    public var name: String

    /// What stands behind it; empty for an option that has no value.
    public var value: String

    /// From 1.
    public var line: Int

    /// Where the name begins, and where the value does; from 1, in characters.
    public var nameColumn: Int
    public var valueColumn: Int
  }

  /// What is wrong, and where: `FILE:LINE:COLUMN: what`.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// One line.
    public let description: String

    init(_ path: String, _ line: Int, _ column: Int, _ what: String) {
      description = "\(path):\(line):\(column): \(what)"
    }
  }

  /// Says what is wrong with an option; nil: nothing.
  public enum Finding: Sendable {
    /// There is no such option, or it has no place in a file.
    case name(String)

    /// Its value isn't what it takes.
    case value(String)
  }

  /// In the order of the file.
  public let settings: [Setting]

  /// Reads a file's text.
  ///
  /// - Parameters:
  ///   - path: for what is said about problems.
  ///   - repeatable: whether an option may be given several times.
  ///   - check: what is wrong with an option; nil: nothing.
  /// - Throws: the first problem.
  public init(
    _ text: String, path: String, repeatable: (String) -> Bool,
    check: (_ name: String, _ value: String) -> Finding?
  ) throws(Problem) {
    var settings: [Setting] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      guard let setting = ScenarioFile.setting(line, number: number) else { continue }
      let earlier = settings.first { $0.name == setting.name }
      if let earlier, !repeatable(setting.name) {
        throw Problem(
          path, number, setting.nameColumn,
          "\(setting.name) was given in line \(earlier.line) already; leave one out")
      }
      switch check(setting.name, setting.value) {
      case .name(let what): throw Problem(path, number, setting.nameColumn, what)
      case .value(let what): throw Problem(path, number, setting.valueColumn, what)
      case nil: settings.append(setting)
      }
    }
    self.settings = settings
  }

  private static func setting(_ line: Substring, number: Int) -> Setting? {
    let body = line.drop(while: isBlank)
    guard let first = body.first, first != "#" else { return nil }
    let name = body.prefix { !isBlank($0) }
    var value = body[name.endIndex...].drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    return Setting(
      name: String(name), value: String(value), line: number,
      nameColumn: line.distance(from: line.startIndex, to: body.startIndex) + 1,
      valueColumn: line.distance(from: line.startIndex, to: value.startIndex) + 1)
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }
}
