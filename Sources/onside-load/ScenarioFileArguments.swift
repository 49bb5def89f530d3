import Flags
import LoadGenerator

/// A command line together with the scenario file that it names.
struct ScenarioFileArguments {
  /// Options that have no place in a file: they are about one call of the program.
  private static let excluded: Set<String> = ["scenario-file", "dry-run", "help", "version"]

  /// One way to say what is loaded, or at what rate, takes the place of all of the file.
  private static let alternatives: [Set<String>] = [
    ["scenario", "mix", "client"], ["rate", "ramp", "steps", "step-duration", "stage"],
  ]

  private let command: Command
  private let words: [String]

  private init(_ command: Command, _ words: [String]) {
    self.command = command
    self.words = words
  }

  /// The words of a command line with a file's options before its own. What the command line gives
  /// itself isn't taken from the file. A file that can't be used ends the process.
  ///
  /// - Parameter words: without the program's name; the first one is the command's.
  static func expand(_ words: [String], _ command: Command, of root: Command) -> [String] {
    let own = ScenarioFileArguments(command, Array(words.dropFirst()))
    guard words.first == command.name, let path = own.value(of: "scenario-file") else {
      return words
    }
    let text: String
    do throws(FileError) {
      text = try readText(path)
    } catch {
      root.fail(.file, "--scenario-file \(error)")
    }
    do throws(ScenarioFile.Problem) {
      let file = try ScenarioFile(
        text, path: path, repeatable: own.isRepeatable, check: own.finding)
      let given = own.givenNames
      let options = file.settings.filter { !isOverridden($0.name, by: given) }
      return [command.name] + options.flatMap(own.words(for:)) + own.words
    } catch {
      root.fail(.usage, error.description)
    }
  }

  // The command line is looked at before it is read: what it leaves out may stand in the file.

  private func value(of name: String) -> String? {
    for (index, word) in words.enumerated() {
      if word.hasPrefix("--\(name)=") { return String(word.dropFirst(name.count + 3)) }
      if word == "--\(name)", index + 1 < words.count { return words[index + 1] }
    }
    return nil
  }

  /// The options that it gives, and `scenario` if it gives one.
  private var givenNames: Set<String> {
    var names: Set<String> = []
    var follows = false
    for word in words {
      if word.hasPrefix("--") {
        let name = String(word.dropFirst(2).prefix { $0 != "=" })
        names.insert(name)
        if case .value = command.option(named: name) {
          follows = !word.contains("=")
        } else {
          follows = false
        }
      } else {
        if !follows { names.insert("scenario") }
        follows = false
      }
    }
    return names
  }

  private static func isOverridden(_ name: String, by given: Set<String>) -> Bool {
    !(alternatives.first { $0.contains(name) } ?? [name]).isDisjoint(with: given)
  }

  private func isRepeatable(_ name: String) -> Bool {
    if case .value(isRepeatable: true) = command.option(named: name) { return true }
    return false
  }

  private func words(for setting: ScenarioFile.Setting) -> [String] {
    if setting.name == "scenario" { return [setting.value] }
    if case .toggle = command.option(named: setting.name) { return ["--\(setting.name)"] }
    return ["--\(setting.name)=\(setting.value)"]
  }

  private func finding(_ name: String, _ value: String) -> ScenarioFile.Finding? {
    if name == "scenario" {
      let names = LoadScenario.allCases.map(\.rawValue)
      guard !names.contains(value) else { return nil }
      return .value("scenario \"\(value)\": expected one of \(names.joined(separator: ", "))")
    }
    let isExcluded = ScenarioFileArguments.excluded.contains(name)
    guard !isExcluded, let option = command.option(named: name) else {
      let suggestion = isExcluded ? "" : command.suggestion(forOption: name)
      return .name(
        "\"\(name)\" can't be set in a scenario file\(suggestion); \"onside-load run --help\" lists"
          + " the options, which stand here without their dashes")
    }
    switch option {
    case .toggle:
      return value.isEmpty ? nil : .value("\(name) takes no value: leave out \"\(value)\"")
    case .value: return command.problem(ofValue: value, named: name).map { .value($0) }
    }
  }
}
