extension ReportPage {
  var deliveryNote: Markup? {
    isClosedLoop
      ? """
      A closed loop has no plan: each simulated client calls again when it has its answer. A \
      server that stalls is not asked meanwhile, so the latencies leave out what users who come at \
      their own pace would have waited.
      """
      : nil
  }

  var delivery: Markup {
    let load = report.delivery
    guard load.planned > 0 else { return closedDelivery }
    if isClosedLoop { return closedDelivery }
    let wrong = max(0, load.sent - load.ok)
    let parts = [
      ("right", load.ok, 5), ("failed or unanswered", wrong, 3), ("skipped", load.skipped, 6),
      ("unsent", load.unsent, 4),
    ].filter { $0.1 > 0 }
    let bar = parts.map { _, part, colour -> Markup in
      "<i class=\"c\(colour)\" style=\"flex:\(part);background:var(--c)\"></i>"
    }
    let legend = parts.map { name, part, colour -> Markup in
      let share = Wording.percent(Double(part) / Double(load.planned))
      return "<span class=\"key area c\(colour)\"><i></i>\(name) \(share)</span>"
    }
    return """
      <div class="split" role="img" aria-label="\(Wording.percent(load.delivered)) of the plan \
      delivered">\(bar)</div>
      <p class="legend">\(legend)</p>
      \(PageFrame.facts(deliveryFacts))
      """
  }

  private var deliveryFacts: [(name: String, value: Markup?)] {
    let load = report.delivery
    let limit = Wording.time(microseconds: Double(load.lateAfter) / 1e3)
    return [
      ("planned", count(load.planned)), ("sent", count(load.sent)),
      ("completed", count(load.completed)), ("right", count(load.ok)),
      ("skipped (too many in flight)", count(load.skipped)),
      ("unsent at the end", count(load.unsent)),
      ("begun more than \(limit) late", count(load.late)),
      ("schedule lag p50", time(load.lag.percentile(0.5))),
      ("schedule lag p99", time(load.lag.percentile(0.99))),
      ("schedule lag max", time(load.lag.percentile(1))),
      ("most in flight", count(load.inFlightMax)),
      ("in flight at the end", count(load.inFlightAtEnd)),
    ]
  }

  private var closedDelivery: Markup {
    let calls = report.calls
    return PageFrame.facts([
      ("sent", count(calls.sent)), ("right, in the measured time", count(calls.ok)),
      ("right, before or after it", count(calls.okOutside)), ("failed", count(calls.failed)),
      ("without an answer", count(calls.unanswered)),
      (
        "most in flight",
        report.delivery.inFlightMax > 0 ? count(report.delivery.inFlightMax) : nil
      ),
    ])
  }
}
