/// What changed from one run to another, and whether it is more than noise.
///
/// The method is described in Docs/load-testing.md. It needs no random numbers: the same two files
/// always give the same answer.
public struct ReportComparison: Sendable {
  /// The answer in one word.
  public enum Verdict: String, Sendable {
    case noDifference = "no-difference"
    case better, worse

    /// Some figures are better, some are worse, or they changed without being either.
    case mixed

    /// Too little was measured to say anything.
    case unclear
  }

  /// A difference in what was asked for, or in what it ran on.
  public struct SetUpDifference: Sendable, Equatable {
    /// What differs: "connections".
    public let name: String

    /// In the first run.
    public let before: String

    /// In the second run.
    public let after: String
  }

  /// The first run.
  public let before: LoadReport

  /// The second run.
  public let after: LoadReport

  /// All that was compared.
  public let figures: [ComparedFigure]

  /// Why the two runs may not be comparable; empty: they were made alike.
  public let setUp: [SetUpDifference]

  /// Compares two runs.
  public init(before: LoadReport, after: LoadReport) {
    self.before = before.normalised
    self.after = after.normalised
    figures = FigurePair(before: self.before, after: self.after).figures
    setUp = ReportComparison.differences(self.before, self.after)
  }

  /// The answer.
  public var verdict: Verdict {
    let verdicts = Set(figures.map(\.verdict))
    switch (verdicts.contains(.better), verdicts.contains(.worse)) {
    case (true, true): return .mixed
    case (false, true): return .worse
    case (true, false): return verdicts.contains(.different) ? .mixed : .better
    case (false, false):
      if verdicts.contains(.different) { return .mixed }
      // A few rare figures that can't be told don't hide that all others are equal.
      let isUnclear = figures.contains {
        $0.verdict == .unclear && FigurePair.main.contains($0.name)
      }
      return isUnclear ? .unclear : .noDifference
    }
  }

  /// Whether a figure is worse by more than noise.
  public var isRegression: Bool { figures.contains { $0.verdict == .worse } }

  /// The answer in a sentence.
  public var sentence: String {
    func names(_ verdict: ComparedFigure.Verdict) -> String {
      figures.filter { $0.verdict == verdict }.map(\.name).joined(separator: ", ")
    }
    switch verdict {
    case .noDifference: return "no difference"
    case .better: return "better: \(names(.better))"
    case .worse: return "worse: \(names(.worse))"
    case .mixed:
      let parts = [
        ("better", names(.better)), ("worse", names(.worse)), ("changed", names(.different)),
      ]
      return parts.filter { !$0.1.isEmpty }.map { "\($0): \($1)" }.joined(separator: "; ")
    case .unclear:
      let seconds = [before, after].map { $0.series.whole.count(where: \.isMeasured) }
      return
        "can't tell: \(seconds[0]) and \(seconds[1]) measured seconds, at least"
        + " \(RankTest.fewest) of each are needed"
    }
  }

  private static func differences(
    _ before: LoadReport, _ after: LoadReport
  ) -> [SetUpDifference] {
    let names = before.setUpFacts.map(\.name)
    let more = after.setUpFacts.map(\.name).filter { !names.contains($0) }
    return (names + more).compactMap { name in
      let values = [before, after].map { report in
        report.setUpFacts.first { $0.name == name }?.value ?? "not given"
      }
      guard values[0] != values[1] else { return nil }
      return SetUpDifference(name: name, before: values[0], after: values[1])
    }
  }
}

extension LoadReport {
  /// What two runs have to have in common to be comparable. The seed isn't among it.
  fileprivate var setUpFacts: [(name: String, value: String)] {
    var facts = [
      ("scenario", scenario), ("host", machine.hostName), ("kernel", machine.kernel),
      ("processor", machine.cpuModel), ("cores for the generator", "\(machine.usableCores)"),
      ("generator", tool), ("TLS", connections.security ?? "unknown"),
      ("generator shares the host", sharesHost ? "yes" : "not known to"),
      ("server", serverFacts.build ?? "unknown"),
      ("durability", serverFacts.durability ?? "unknown"),
      ("server TLS library", serverFacts.tlsLibrary ?? "unknown"),
      ("cores for the server", serverFacts.usableCores.map(String.init) ?? "unknown"),
      ("agents", "\(agents.count)"),
    ]
    for member in load where member.name != "seed" {
      facts.append((member.name, member.value.string ?? member.value.compact()))
    }
    return facts
  }
}
