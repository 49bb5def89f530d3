extension ReportPage {
  var header: Markup {
    let (badge, look) = verdictBadge
    let ended: Markup =
      switch report.ending {
      case .aborted(let reason): " · aborted: \(reason)"
      case .interrupted: " · interrupted"
      case .duration, .calls: ""
      }
    return """
      <header>
      <div class="top"><h1>\(report.scenario)</h1><span class="badge \(look)">\(badge)</span></div>
      <p class="sub">Load report · \(utc(milliseconds: report.startedAt)) · \
      \(Wording.fixed(report.seconds, places: 1)) s measured\(ended)</p>
      </header>

      """
  }

  /// Colour is never the only sign.
  private var verdictBadge: (text: String, look: String) {
    switch report.verdict {
    case .passed: ("✓ passed", "good")
    case .failed: ("✗ failed", "bad")
    case .thresholdCrossed: ("✗ threshold crossed", "bad")
    case .checksViolated: ("✗ checks violated", "bad")
    case .saturated: ("! generator saturated", "odd")
    case .interrupted: ("! interrupted", "odd")
    }
  }

  /// What has to be known before any figure is believed.
  var alerts: Markup {
    var alerts: [Markup] = report.saturation.map { reason in
      """
      <p class="alert bad" role="note"><strong>The generator was the limit:</strong> \(reason). \
      The figures say little about the server.</p>

      """
    }
    if report.sharesHost {
      alerts.append(
        """
        <p class="alert" role="note"><strong>Generator and server shared one machine.</strong> \
        They took CPU time, caches and memory bandwidth from each other, and no network lay \
        between them.</p>

        """)
    }
    let lost = report.agents.filter { $0.state == .lost }
    alerts += lost.map { agent in
      """
      <p class="alert bad" role="note"><strong>Agent \(agent.name) was lost\
      \(agent.reason.map { ": \($0)" } ?? "").</strong> Its last part is missing.</p>

      """
    }
    alerts += report.remarks.filter { !($0.contains("shares the host") && report.sharesHost) }
      .map { "<p class=\"alert\" role=\"note\">\($0)</p>\n" }
    return "\(alerts)"
  }

  /// The few figures that most people look for.
  var tiles: Markup {
    let latency = report.calls.latency
    let errors = report.calls.failed + report.calls.unanswered
    var tiles: [Markup] = [
      tile("\(Wording.digits(report.okPerSecond))/s", "right answers"),
      tile(time(latency.percentile(0.5)), isClosedLoop ? "p50" : "p50 from plan"),
      tile(time(latency.percentile(0.99)), isClosedLoop ? "p99" : "p99 from plan"),
      tile(
        errors == 0
          ? "0" : "<span class=\"bad\">\(count(errors))</span>",
        errors == 0 || report.calls.sent == 0
          ? "errors"
          : "errors, \(Wording.percent(Double(errors) / Double(report.calls.sent))) of calls"),
    ]
    if report.delivery.planned > 0, !isClosedLoop {
      tiles.append(tile("\(Wording.percent(report.delivery.delivered))", "of the plan delivered"))
    }
    if let server = report.server, report.calls.ok > 0 {
      let cost = Double(server.cpuNanoseconds) / 1e3 / Double(report.calls.ok)
      tiles.append(tile("\(Wording.time(microseconds: cost))", "server CPU per call"))
    }
    return "<div class=\"tiles\">\(tiles)</div>\n"
  }

  private func tile(_ figure: Markup, _ name: String) -> Markup {
    "<div class=\"tile\"><b>\(figure)</b><span>\(name)</span></div>\n"
  }

  /// Thresholds and checks.
  var verdictTables: Markup {
    var thresholds = MarkupTable("Thresholds", ["fails if", "measured", "result"], leftColumns: 1)
    thresholds.rows = report.thresholds.map { threshold in
      [
        "<code>\(threshold.text)</code>",
        threshold.actual.map { "\($0)" } ?? "<span class=\"soft\">no figure</span>",
        result(threshold.isCrossed ? "crossed" : "kept", isGood: !threshold.isCrossed),
      ]
    }
    var checks = MarkupTable("Checks", ["check", "looked at", "wrong", "result"])
    checks.rows = report.checks.map { check in
      let sample: Markup = check.sample.map { "<span class=\"wrap soft\">\($0)</span>" } ?? ""
      return [
        "\(check.title)\(sample)", count(check.checked), count(check.violations),
        result(check.violations > 0 ? "violated" : "right", isGood: check.violations == 0),
      ]
    }
    let tables = [thresholds, checks].filter { !$0.rows.isEmpty }.map(\.markup)
    return "\(tables)"
  }

  private func result(_ text: String, isGood: Bool) -> Markup {
    isGood ? "<span class=\"good\">✓ \(text)</span>" : "<span class=\"bad\">✗ \(text)</span>"
  }
}
