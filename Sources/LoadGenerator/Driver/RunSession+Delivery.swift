import LoadReporting

extension RunSession {
  /// How much of the plan was made, and whether it was the generator that couldn't.
  func addDelivery(to report: inout LoadReport, failed: Int, _ course: Course) async {
    var load = LoadFigures()
    var dispatchLag = LatencyHistogram()
    for driver in run.drivers {
      let (figures, lag) = await driver.ask { ($0.load, $0.dispatchLag) }
      load.merge(figures)
      dispatchLag.merge(lag)
    }
    load.completed = report.calls.ok + failed
    load.ok = report.calls.ok
    if !plan.isOpenLoop {
      // There is no plan, and what was begun counts as planned.
      load.sent = load.completed + report.calls.unanswered
      load.planned = load.sent
    }
    report.delivery = load
    let findings = SaturationCheck(
      isPaced: plan.isOpenLoop, busiest: course.busiest, lag: dispatchLag,
      processCores: report.seconds > 0
        ? Double(report.client.cpuNanoseconds) / 1e9 / report.seconds : 0,
      usableCores: report.machine.usableCores, loops: run.drivers.count)
    report.saturation = findings.reasons
    report.remarks += findings.remarks
    if report.sharesHost {
      report.remarks.append(
        "the generator shares the host with the server: each takes CPU time from the other")
    }
    if case .aborted = report.ending { return }
    if let remark = endRemark(load, report.calls) { report.remarks.append(remark) }
  }

  /// What became of the calls that were under way when the time was over.
  private func endRemark(_ load: LoadFigures, _ calls: CallFigures) -> String? {
    guard plan.isOpenLoop, load.inFlightAtEnd > 0 else { return nil }
    let text = "calls under way at the end: \(load.inFlightAtEnd)"
    switch plan.atEnd {
    case .wait: return "\(text), waited for; without an answer: \(calls.unanswered)"
    case .close: return "\(text); their connections were closed"
    case .ignore: return "\(text), not waited for"
    }
  }
}
