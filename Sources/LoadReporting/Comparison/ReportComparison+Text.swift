extension ReportComparison {
  /// The comparison as a table for people.
  public func text(_ style: TextStyle) -> String {
    var lines: [String] = []
    if !setUp.isEmpty {
      lines.append(style.apply(.bold, to: "not made alike:"))
      lines += setUp.map { difference in
        "  \(difference.name): \(printable(difference.before)) → \(printable(difference.after))"
      }
      lines.append("")
    }
    var table = TextTable(head: ["", "before", "after", "change", ""])
    table.rows = figures.map { figure in
      [
        TextTable.Cell(figure.name),
        TextTable.Cell(ReportComparison.shown(figure.before, figure.unit)),
        TextTable.Cell(ReportComparison.shown(figure.after, figure.unit)),
        TextTable.Cell(figure.changeText),
        TextTable.Cell(figure.verdict.title, figure.verdict.look),
      ]
    }
    lines.append(table.text(style))
    let look: TextStyle.Look =
      verdict == .worse || isRegression ? .red : verdict == .better ? .green : .plain
    lines.append(style.apply(look, to: sentence))
    return lines.joined(separator: "\n") + "\n"
  }

  static func shown(_ value: Double?, _ unit: ComparedFigure.Unit) -> String {
    value.map(unit.wording) ?? Wording.nothing
  }

  /// The comparison for programs.
  public var json: JSONValue {
    .members([
      "schema": .string("onside-load-comparison/1"),
      "verdict": .string(verdict.rawValue),
      "sentence": .string(sentence),
      "before_started_at_ms": .integer(before.startedAt),
      "after_started_at_ms": .integer(after.startedAt),
      "set_up_differences": .array(
        setUp.map { difference in
          .members([
            "name": .string(difference.name), "before": .string(difference.before),
            "after": .string(difference.after),
          ])
        }),
      "figures": .array(
        figures.map { figure in
          .members([
            "name": .string(figure.name), "unit": .string(figure.unit.rawValue),
            "before": .decimal(figure.before, places: 6),
            "after": .decimal(figure.after, places: 6),
            "change": .decimal(figure.change, places: 6),
            "verdict": .string(figure.verdict.rawValue),
            "probability": .decimal(figure.probability, places: 6),
          ])
        }),
    ])
  }
}

extension ComparedFigure {
  /// "+12.3%".
  var changeText: String {
    guard let change else { return Wording.nothing }
    guard change != 0 else { return "0%" }
    return (change > 0 ? "+" : "−") + "\(Wording.fixed(abs(change) * 100, places: 1))%"
  }
}

extension ComparedFigure.Verdict {
  /// Word and sign, so that colour isn't needed.
  var title: String {
    switch self {
    case .noDifference: "no difference"
    case .better: "✓ better"
    case .worse: "✗ worse"
    case .different: "≠ changed"
    case .unclear: "? can't tell"
    }
  }

  var look: TextStyle.Look {
    switch self {
    case .noDifference, .unclear: .dim
    case .better: .green
    case .worse: .red
    case .different: .bold
    }
  }
}
