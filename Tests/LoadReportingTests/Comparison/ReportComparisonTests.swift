import Testing

@testable import LoadReporting

@Suite struct ReportComparisonTests {
  private static let other = LoadReport.everything(seed: 2)
  private static let slower = LoadReport.everything(seed: 3, pace: 1.1)

  private func verdict(_ name: String, _ comparison: ReportComparison) -> ComparedFigure.Verdict? {
    comparison.figures.first { $0.name == name }?.verdict
  }

  @Test("LG-21 two identical runs: no difference")
  func identicalRuns() {
    let comparison = ReportComparison(before: .full, after: .full)
    #expect(comparison.verdict == .noDifference)
    #expect(!comparison.isRegression)
    #expect(comparison.figures.allSatisfy { $0.verdict == .noDifference && $0.change == 0 })
    #expect(comparison.text(.plain).hasSuffix("\nno difference\n"))
    #expect(comparison.page.contains("= no difference"))
    #expect(comparison.json["verdict"]?.string == "no-difference")
  }

  @Test("LG-21 two runs of the same server: no difference")
  func runsThatDifferByChance() {
    let comparison = ReportComparison(before: .full, after: Self.other)
    #expect(comparison.verdict == .noDifference, "\(comparison.text(.plain))")
    #expect(comparison.setUp.isEmpty)
  }

  @Test func aSlowerServerIsFound() {
    let comparison = ReportComparison(before: .full, after: Self.slower)
    #expect(comparison.verdict == .worse, "\(comparison.text(.plain))")
    #expect(comparison.isRegression)
    #expect(verdict("p50", comparison) == .worse)
    let back = ReportComparison(before: Self.slower, after: .full)
    #expect(back.verdict == .better)
    #expect(verdict("p50", back) == .better)
    #expect(back.sentence.contains("p50"))
  }

  @Test func withFewSecondsItCannotTell() {
    let before = LoadReport.everything(seed: 1, seconds: 7)
    let after = LoadReport.everything(seed: 2, seconds: 7)
    let comparison = ReportComparison(before: before, after: after)
    #expect(comparison.verdict == .unclear)
    #expect(
      comparison.sentence
        == "can't tell: 5 and 5 measured seconds, at least 8 of each are needed")
    #expect(!comparison.isRegression)
    #expect(ReportComparison(before: before, after: before).verdict == .noDifference)
  }

  @Test func errorsWhereThereWereNoneAreWorse() {
    let comparison = ReportComparison(before: .sample(), after: .sample(failed: 1))
    #expect(verdict("errors", comparison) == .worse)
    #expect(comparison.isRegression)
    #expect(!ReportComparison(before: .sample(failed: 1), after: .sample()).isRegression)
  }

  @Test func memoryThatGrewALittleIsNoRegression() {
    func grown(_ factor: Double) -> ComparedFigure.Verdict? {
      var after = LoadReport.full
      after.server?.residentBytes = UInt64(Double(48 << 20) * factor)
      for place in after.series.indices {
        after.series[place].serverResidentBytes = UInt64(Double(45 << 20) * factor)
      }
      return verdict("server memory", ReportComparison(before: .full, after: after))
    }
    #expect(grown(1.04) == .noDifference)
    #expect(grown(1.3) == .worse)
    #expect(grown(0.7) == .better)
  }

  @Test func whatWasNotMadeAlikeIsSaid() {
    var after = LoadReport.full
    after.load[1] = .init("rate", .integer(3000))
    after.load[5] = .init("seed", .integer(8))
    after.serverFacts.build = "<b>new</b>"
    let comparison = ReportComparison(before: .full, after: after)
    #expect(
      comparison.setUp == [
        .init(name: "server", before: "onside-server 0.1.0", after: "<b>new</b>"),
        .init(name: "rate", before: "2000", after: "3000"),
      ])
    #expect(comparison.text(.plain).hasPrefix("not made alike:\n  server: onside-server 0.1.0 → "))
    #expect(comparison.page.contains("&lt;b&gt;new&lt;/b&gt;"))
    #expect(!comparison.page.contains("<b>new"))
  }

  @Test func theSameFilesGiveTheSameAnswer() {
    let first = ReportComparison(before: .full, after: Self.slower)
    let second = ReportComparison(before: .full, after: Self.slower)
    #expect(first.page == second.page)
    #expect(first.json == second.json)
  }

  /// Samples without an overlap, equal ones, and too few.
  @Test func rankTestOnKnownSamples() throws {
    let low = (1...10).map { Double(($0 * 7) % 11) }
    #expect(try #require(RankTest(low, low)).probability == 1)
    let apart = try #require(RankTest(low, low.map { $0 + 100 }))
    #expect(apart.probability < RankTest.significant)
    let same = [Double](repeating: 4, count: 20)
    #expect(try #require(RankTest(same, same)).probability == 1)
    #expect(RankTest(Array(low.prefix(7)), low) == nil)
  }

  /// A drift inside the runs must not pass for a difference between them.
  @Test func neighboursThatResembleEachOtherCountLess() throws {
    var random = SeededRandom(seed: 5)
    let steady = (0..<40).map { _ in Double.random(in: 0..<1, using: &random) }
    let shifted = (0..<40).map { _ in Double.random(in: 0.4..<1.4, using: &random) }
    let independent = try #require(RankTest(steady, shifted))
    let drifting = try #require(RankTest(steady.sorted(), shifted.sorted()))
    #expect(independent.probability < RankTest.significant)
    #expect(drifting.probability > independent.probability * 100)
  }

  @Test(arguments: 1...20)
  func chanceIsRarelyTakenForADifference(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let values = (0..<120).map { _ in Double.random(in: 0..<1, using: &random) }
    let test = try #require(RankTest(Array(values.prefix(60)), Array(values.suffix(60))))
    #expect(test.probability > RankTest.significant, "seed \(seed)")
  }
}
