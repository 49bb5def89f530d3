import Testing

@testable import LoadReporting

@Suite struct MarkupTests {
  @Test func valuesAreEscapedAndMarkupIsNot() {
    let value = "<script>alert('1')</script>\u{1B}[2J\u{202E} & \"x\""
    let inner: Markup = "<b>\(value)</b>"
    let outer: Markup = "<p title=\"\(value)\">\(inner)\(3)</p>"
    let safe =
      "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;\u{FFFD}[2J\u{FFFD} &amp; &quot;x&quot;"
    #expect(outer.text == "<p title=\"\(safe)\"><b>\(safe)</b>3</p>")
  }

  @Test func logarithmicAxesHoldAllValues() {
    for (low, high) in [(1.0, 1.0), (0.3, 12.5), (999, 1001), (5, 7_000_000), (200, 200)] {
      let axis = Axis.logarithmic(low, high) { rounded($0, places: 3) }
      #expect(axis.ticks.first?.place == 0 && axis.ticks.last?.place == 1)
      #expect((2...9).contains(axis.ticks.count), "\(axis.ticks)")
      #expect(axis.place(of: low) >= 0 && axis.place(of: high) <= 1)
    }
    let axis = Axis.logarithmic(150, 4000) { rounded($0, places: 0) }
    #expect(axis.ticks.map(\.label) == ["100", "200", "500", "1000", "2000", "5000"])
  }

  @Test(arguments: [(0.0, 1), (1, 5), (7, 8), (9.9, 6), (2000, 5), (0.44, 6)])
  func linearAxesEndAtARoundNumber(_ largest: Double, _ most: Int) {
    let axis = Axis.linear(to: largest) { rounded($0, places: 3) }
    #expect(axis.ticks.first?.label == "0" && axis.ticks.last?.place == 1)
    #expect((2...max(2, most)).contains(axis.ticks.count), "\(axis.ticks)")
    #expect(axis.place(of: largest) <= 1)
  }

  @Test(arguments: [(0.0, 2), (1, 2), (10, 7), (60, 7), (600, 7), (86_400, 7), (604_800, 8)])
  func timeAxesHaveFewLabels(_ seconds: Double, _ most: Int) {
    #expect(Axis.seconds(to: seconds).ticks.count <= most)
  }

  @Test func aLineHasGapsWhereThereIsNoValue() {
    let chart = Chart(
      name: "n", title: "t", summary: "s", horizontal: .seconds(to: 4),
      vertical: .linear(to: 10) { rounded($0, places: 1) },
      places: (0...4).map { (Double($0), "\($0) s") },
      lines: [
        .init(
          name: "a", colour: 1, values: [0, 5, nil, 10, nil],
          wording: { rounded($0, places: 1) }),
        .init(name: "unused", colour: 2, values: [nil, nil, nil, nil, nil], wording: { _ in "" }),
      ])
    let text = chart.markup.text
    #expect(text.contains("d=\"M0 300h0L250 150M750 0h0\""))
    #expect(text.contains("data-v=\"0|5|–|10|–\""))
    #expect(text.contains("<title id=\"n-t\">t</title><desc id=\"n-d\">s</desc>"))
    #expect(!text.contains("unused"))
  }

  @Test func longSeriesAreReducedWithoutLosingPeaks() {
    var series = (1...10_000).map { second in
      SecondFigures(
        second: Double(second), isMeasured: true, ok: 100, failed: 0, p50: 1000, p99: 2000,
        clientCores: 0.5)
    }
    series[4321].max = 9_000_000
    let reduced = ReducedSeries(series)
    #expect(reduced.points.count <= ReducedSeries.most)
    #expect(reduced.width == 14)
    #expect(reduced.points.allSatisfy { $0.ok == 100 })
    #expect(reduced.points.compactMap(\.max) == [9_000_000])
    #expect(ReducedSeries(Array(series.prefix(720))).width == 1)
  }
}
