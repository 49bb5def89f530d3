extension CommandChain {
  /// The whole help of the innermost command.
  func help(columns: Int) -> String {
    let width = max(40, columns)
    var sections = [usage(width: width), wrapped(leaf.summary, width: width)]
    if !leaf.discussion.isEmpty { sections.append(wrapped(leaf.discussion, width: width)) }
    if !leaf.subcommands.isEmpty {
      let rows = leaf.subcommands.map { ($0.name, $0.summary) }
      sections.append("Commands:\n" + table(rows, width: width))
    }
    let arguments = leaf.elements.filter { $0.form == .argument || $0.form == .rest }
    if !arguments.isEmpty {
      sections.append("Arguments:\n" + table(arguments.map(row), width: width))
    }
    sections += flagSections(width: width)
    if !leaf.exitCodes.isEmpty {
      let rows = leaf.exitCodes.map { ("\($0.code.rawValue)", $0.meaning ?? $0.code.summary) }
      sections.append("Exit codes:\n" + table(rows, width: width))
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private func usage(width: Int) -> String {
    var words = ["usage:", path]
    if !leaf.subcommands.isEmpty { words.append("COMMAND") }
    for element in leaf.elements where element.form == .argument || element.form == .rest {
      let name = element.form == .rest ? "\(element.name)…" : element.name
      words.append(element.isRequired ? name : "[\(name)]")
    }
    for element in declarations where element.isRequired && element.title.hasPrefix("--") {
      words.append("\(element.title) \(element.placeholder)")
    }
    words.append("[options]")
    return wrapped(words.joined(separator: " "), width: width, indent: 7)
  }

  /// The flags by heading, those of the commands above last.
  private func flagSections(width: Int) -> [String] {
    var groups: [(title: String, rows: [(String, String)])] = [("Options", [])]
    for element in leaf.elements where element.form != .argument && element.form != .rest {
      if element.form == .heading {
        groups.append((element.name, []))
      } else {
        groups[groups.count - 1].rows.append(row(element))
      }
    }
    var general: [(String, String)] = []
    for command in commands.dropLast() {
      general += command.elements.filter { $0.title.hasPrefix("--") && $0.form != .heading }
        .map(row)
    }
    general.append(("--help", "print this text and end"))
    if !commands[0].version.isEmpty { general.append(("--version", "print the version and end")) }
    groups.append(("General", general))
    return groups.filter { !$0.rows.isEmpty }.map {
      "\($0.title):\n" + table($0.rows, width: width)
    }
  }

  private func row(_ element: Declaration) -> (String, String) {
    var title: String
    switch element.form {
    case .toggle, .heading: title = element.title
    case .single, .repeatable: title = "\(element.title) \(element.placeholder)"
    case .list: title = "\(element.title) \(element.placeholder)…"
    case .argument: title = element.name
    case .rest: title = "\(element.name)…"
    }
    if let short = element.short { title = "-\(short), " + title }
    var help = element.help
    if let text = element.defaultText {
      help += " (default: \(text))"
    } else if element.isRequired, element.title.hasPrefix("--") {
      help += " (required)"
    }
    return (title, help)
  }
}

/// Two columns; a left side that is too long has a line of its own.
private func table(_ rows: [(String, String)], width: Int) -> String {
  let widest = max(8, width / 3)
  let fitting = rows.map(\.0.count).filter { $0 <= widest }
  let left = (fitting.max() ?? widest) + 4
  return rows.map { title, text in
    let lines = wrappedLines(text, width: width - left)
    let indent = String(repeating: " ", count: left)
    let head = "  \(title)"
    if title.count > widest {
      return ([head] + lines.map { indent + $0 }).joined(separator: "\n")
    }
    let padding = String(repeating: " ", count: left - head.count)
    return ([head + padding + (lines.first ?? "")] + lines.dropFirst().map { indent + $0 })
      .joined(separator: "\n")
  }.joined(separator: "\n")
}

/// Paragraphs, each wrapped; a line that begins with a space is kept as it is.
private func wrapped(_ text: String, width: Int, indent: Int = 0) -> String {
  let hanging = String(repeating: " ", count: indent)
  return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    if line.hasPrefix(" ") { return String(line) }
    return wrappedLines(String(line), width: width - indent).enumerated()
      .map { $0.offset == 0 ? $0.element : hanging + $0.element }.joined(separator: "\n")
  }.joined(separator: "\n")
}

private func wrappedLines(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? String(word) : " \(word)"
  }
  return lines + [line]
}
