extension ReportPage {
  var errorNote: Markup? {
    report.calls.failures.entries.isEmpty
      ? nil : "By where a call failed and with what status. Times count from the begin of the load."
  }

  var errorTable: Markup {
    let entries = report.calls.failures.entries
    guard !entries.isEmpty else {
      return report.calls.unanswered > 0 ? "" : "<p class=\"good\">✓ No call failed.</p>\n"
    }
    var table = MarkupTable(
      "Errors", ["phase and status", "count", "first", "last", "first messages"])
    table.endsWithText = true
    table.rows = entries.sorted { $0.count > $1.count }.map { entry in
      let reason: Markup = entry.kind.reason.isEmpty ? "" : " \(entry.kind.reason)"
      let samples = entry.samples.map { "<span class=\"wrap\">\($0)</span>" as Markup }
      return [
        "\(entry.kind.phase.rawValue) <strong>\(entry.kind.status)</strong>\(reason)",
        count(entry.count), instant(entry.first), instant(entry.last),
        "\(samples)",
      ]
    }
    return table.markup
  }

  private func instant(_ nanoseconds: UInt64) -> Markup {
    "\(Wording.fixed(Double(nanoseconds) / 1e9, places: 2)) s"
  }

  var scenarioTable: Markup {
    guard !report.scenarios.isEmpty || !report.steps.isEmpty else { return "" }
    var table = MarkupTable(
      "Scenarios and steps",
      ["", "weight or clients", "right", "failed", "rate"] + ReportPage.percentileTitles)
    func add(_ name: Markup, _ weight: Markup, _ failed: Markup, _ latency: LatencyHistogram) {
      let rate = report.seconds > 0 ? Double(latency.count) / report.seconds : 0
      table.rows.append(
        [name, weight, count(Int(latency.count)), failed, "\(Wording.digits(rate))/s"]
          + percentileCells(latency))
    }
    func add(_ steps: [StepFigures]) {
      for step in steps { add("<span class=\"soft\">\(step.name)</span>", "", "", step.latency) }
    }
    for scenario in report.scenarios {
      add(
        "\(scenario.name)",
        scenario.clients.map { "\(count($0)) clients" }
          ?? "\(rounded(scenario.weight, places: 3))",
        count(scenario.calls.failed), scenario.calls.latency)
      add(scenario.steps)
    }
    add(report.steps)
    return table.markup
  }

  var connections: Markup {
    let figures = report.connections
    return PageFrame.facts([
      ("opened", count(figures.opened)), ("full handshakes", count(figures.fullHandshakes)),
      ("resumed handshakes", count(figures.resumedHandshakes)),
      ("resumed", figures.resumptionRate.map { "\(Wording.percent($0))" }),
      ("failed handshakes", count(figures.failedHandshakes)),
      ("attempts without a connection", count(figures.failed)), ("lost", count(figures.lost)),
      ("tickets received", count(figures.tickets)),
      ("key share retries", count(figures.helloRetries)),
      ("sent", bytes(figures.bytesSent)), ("received", bytes(figures.bytesReceived)),
      ("negotiated", figures.security.map { "\($0)" }),
    ])
  }

  private func bytes(_ count: UInt64) -> Markup? {
    count > 0 ? "\(Wording.memory(bytes: Double(count)))" : nil
  }

  var efficiency: Markup {
    let server = report.server
    func time(_ nanoseconds: Double?) -> Markup? {
      nanoseconds.map { "\(Wording.time(microseconds: $0 / 1e3))" }
    }
    func size(_ bytes: Double?) -> Markup? { bytes.map { "\(Wording.digits($0)) B" } }
    return PageFrame.facts([
      ("server CPU per call", time(report.serverCPUPerCall)),
      ("generator CPU per call", time(report.clientCPUPerCall)),
      ("bytes sent per call", size(report.bytesSentPerCall)),
      ("bytes received per call", size(report.bytesReceivedPerCall)),
      ("syncs per call", report.syncsPerCall.map { "\(rounded($0, places: 4))" }),
      (
        "context switches per call",
        report.contextSwitchesPerCall.map { "\(rounded($0, places: 3))" }
      ),
      (
        "server memory per idle connection",
        server?.residentBytesPerConnection.map { "\(rounded($0 / 1024, places: 1)) KiB" }
      ),
      (
        "server CPU while idle",
        server?.idleCPUNanoseconds.map { "\(Wording.time(microseconds: Double($0) / 1e3))" }
      ),
      (
        "server memory, at the end",
        server?.residentBytes.map { "\(Wording.memory(bytes: Double($0)))" }
      ),
      (
        "server memory, most",
        server?.peakResidentBytes.map { "\(Wording.memory(bytes: Double($0)))" }
      ),
      ("server descriptors", server?.descriptors.map(count)),
    ])
  }

  var agentTable: Markup {
    guard !report.agents.isEmpty else { return "" }
    var table = MarkupTable(
      "Agents", ["agent", "state", "start lag", "planned", "right", "skipped", "lag p99", "cores"])
    table.rows = report.agents.map { agent in
      let cores =
        report.seconds > 0 ? Double(agent.process.cpuNanoseconds) / 1e9 / report.seconds : 0
      let lag = Double(agent.startLag) / 1e6
      return [
        "\(agent.name) <span class=\"soft\">\(agent.machine.hostName)</span>",
        agent.state == .lost ? "<span class=\"bad\">✗ lost</span>" : "finished",
        "\(rounded(lag, places: 2)) ms", count(agent.load.planned), count(agent.load.ok),
        count(agent.load.skipped), time(agent.load.lag.percentile(0.99)),
        "\(Wording.fixed(cores, places: 2)) of \(agent.machine.usableCores)",
      ]
    }
    return table.markup
  }
}
