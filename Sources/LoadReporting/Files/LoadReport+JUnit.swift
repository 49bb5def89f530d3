extension LoadReport {
  /// Thresholds and checks as test cases, in the XML that CI systems read; the run itself is
  /// one, too.
  public var junit: String {
    let report = normalised
    var cases = [report.runCase]
    cases += report.thresholds.map { threshold in
      JUnitCase(
        group: "threshold", name: threshold.text,
        failure: threshold.isCrossed
          ? threshold.actual.map { "measured \($0)" } ?? "there was no such figure" : nil)
    }
    cases += report.checks.map { check in
      JUnitCase(
        group: "check", name: check.title,
        failure: check.violations > 0
          ? "\(check.violations) of \(check.checked) wrong: \(check.sample ?? "no sample")" : nil)
    }
    let failures = cases.count { $0.failure != nil }
    let time = Wording.fixed(report.seconds, places: 3)
    let text: Markup = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="onside-load" tests="\(cases.count)" failures="\(failures)" time="\(time)">
      <testsuite name="\(report.scenario)" tests="\(cases.count)" failures="\(failures)" \
      errors="0" skipped="0" time="\(time)" timestamp="\(utc(milliseconds: report.startedAt))" \
      hostname="\(report.machine.hostName)">
      \(cases.map { $0.markup(report.scenario) })</testsuite>
      </testsuites>

      """
    return text.text
  }

  /// Fails where no threshold says which errors are too many.
  private var runCase: JUnitCase {
    let reason: String? =
      switch verdict {
      case .passed, .thresholdCrossed, .checksViolated: nil
      case .failed:
        "\(calls.ok) right answers, \(calls.failed) failed, \(calls.unanswered) unanswered"
      case .interrupted: "interrupted"
      case .saturated: "generator saturated: \(saturation.joined(separator: "; "))"
      }
    if case .aborted(let why) = ending {
      return JUnitCase(group: "run", name: "calls succeed", failure: "aborted: \(why)")
    }
    return JUnitCase(group: "run", name: "calls succeed", failure: reason)
  }
}

private struct JUnitCase {
  let group: String
  let name: String
  let failure: String?

  func markup(_ scenario: String) -> Markup {
    let start: Markup =
      "<testcase classname=\"onside-load.\(scenario).\(group)\" name=\"\(name)\" time=\"0\""
    guard let failure else { return "\(start)/>\n" }
    return "\(start)><failure message=\"\(failure)\"/></testcase>\n"
  }
}
