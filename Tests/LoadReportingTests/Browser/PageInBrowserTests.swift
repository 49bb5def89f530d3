import Foundation
import Testing

@testable import LoadReporting

/// Pages as a person sees them, in a real browser that has no network.
@Suite(.serialized) struct PageInBrowserTests {
  @Test(arguments: [(1280, false), (360, true), (320, false)])
  func reportIsDrawnAndFits(_ width: Int, _ isDark: Bool) throws {
    guard let browser = Browser() else { return }
    let sight = try browser.open(LoadReport.full.page, width: width, isDark: isDark)
    check(sight, width: width)
    #expect(sight.charts == 7)
    #expect(sight.tip?.contains("p99") == true, "\(sight.tip ?? "no tip")")
    #expect(sight.background == (isDark ? "rgb(15, 17, 21)" : "rgb(246, 247, 249)"))
  }

  @Test func aReportWithoutAnswersFitsToo() throws {
    guard let browser = Browser() else { return }
    var report = LoadReport.sample(ok: 0, failed: 3)
    report.scenario = String(repeating: "long", count: 60)
    report.calls.failures.record(
      .init(phase: .answer, status: String(repeating: "S", count: 90)),
      String(repeating: "m", count: 300))
    check(try browser.open(report.page, width: 320), width: 320)
  }

  @Test(arguments: [1280, 320])
  func comparisonIsDrawnAndFits(_ width: Int) throws {
    guard let browser = Browser() else { return }
    let comparison = ReportComparison(before: .full, after: .everything(seed: 3, pace: 1.1))
    let sight = try browser.open(comparison.page, width: width, isDark: width == 320)
    check(sight, width: width)
    #expect(sight.charts == 5)
    #expect(sight.tip?.contains("before") == true, "\(sight.tip ?? "no tip")")
  }

  @Test func theProbeFindsWhatIsWrong() throws {
    guard let browser = Browser() else { return }
    let page = LoadReport.sample().page
      .replacing("<main>", with: "<main><p style=\"width:2000px\">x</p>")
      .replacing("\"use strict\";", with: "nothing.here();")
      .replacing("</footer>", with: "").replacing(
        "</main>", with: "</main><img alt=\"\" src=\"https://example.com/a.png\">")
    let sight = try browser.open(page, width: 800)
    #expect(sight.tooWide.count == 1)
    #expect((sight.widths.content ?? 0) > 2000)
    #expect(sight.errors.contains { $0.contains("nothing is not defined") })
    #expect(sight.errors.contains("policy: https://example.com/a.png"))
    #expect(sight.log.contains("CONSOLE"))
  }

  private func check(_ sight: PageSight, width: Int) {
    #expect(sight.errors == [])
    #expect(sight.emptyCharts == [])
    #expect(sight.tooWide == [])
    #expect(sight.widths.window == Double(width))
    #expect(sight.widths.content == Double(width))
    #expect(!sight.log.contains("CONSOLE"), "\(sight.log)")
  }
}
