import Glibc

@testable import LoadReporting

extension LoadReport {
  /// What ``everything(seed:seconds:pace:)`` gives, made once.
  static let full = everything()

  /// A made-up report that says something in every place, with the figures of a run that had
  /// a stall and a few errors.
  static func everything(seed: UInt64 = 1, seconds: Int = 60, pace: Double = 1) -> LoadReport {
    var random = SeededRandom(seed: seed)
    var parts = MadeUpRun(pace: pace)
    for second in 1...seconds { parts.play(second, of: seconds, &random) }
    var report = LoadReport(
      scenario: "session-return", commandLine: ["onside-load", "run", "mix", "--rate", "2000"],
      startedAt: 1_796_035_509_250,
      machine: .example, sharesHost: true,
      load: [
        .init("model", .string("open")), .init("rate", .integer(2000)),
        .init("connections", .integer(64)), .init("duration_seconds", .integer(seconds - 2)),
        .init("warmup_seconds", .integer(2)), .init("seed", .integer(7)),
      ], ending: .duration, seconds: Double(seconds - 2), calls: parts.calls,
      steps: [.example("CreatePurchase")], connections: .example, client: .example(pid: 4321),
      server: .example(pid: 1234),
      checks: [
        CheckResult(name: "session_tokens_unique", title: "session tokens unique", checked: 5000),
        CheckResult(
          name: "products_partition", title: "products partition right", checked: 900,
          violations: 2, sample: "com.example.<coins> came twice"),
      ], series: parts.series)
    report.complete(with: parts)
    return report
  }

  private mutating func complete(with parts: MadeUpRun) {
    toleratesLostAgents = true
    tool = "onside-load 0.1.0 (release)"
    serverFacts.build = "onside-server 0.1.0"
    serverFacts.durability = "SQLite, synchronous FULL, up to 512 in a commit"
    serverFacts.tlsLibrary = "OpenSSL 3.0.20"
    serverFacts.usableCores = 1
    serverFacts.loops = 2
    delivery = parts.delivery
    delivery.inFlightAtEnd = 3
    calls.okLate = 7
    phases = CallPhase.allCases.map { parts.phase($0) }
    var scenario = ScenarioFigures(name: "session-return", weight: 0.75)
    scenario.calls = calls
    scenario.clients = 12
    scenario.steps = [.example("CreateSession")]
    scenarios = [scenario]
    thresholds = [
      ThresholdResult(text: "p99 > 10ms", actual: "8.41 ms", isCrossed: false),
      ThresholdResult(text: "errors > 0.1%", actual: "0.31%", isCrossed: true),
    ]
    saturation = ["the generator used 1.02 of 1 core"]
    remarks = ["shares the host with the server"]
    agents = [
      AgentFigures(
        name: "10.0.0.2:9700", machine: .example, state: .lost, reason: "connection lost",
        startLag: -120_000, load: parts.delivery, process: .example(pid: 17))
    ]
  }
}

extension Machine {
  static let example = Machine(
    hostName: "bench-1", kernel: "Linux 6.1.0", cpuModel: "AMD EPYC 9R14", usableCores: 1, cores: 2)
}

extension StepFigures {
  static func example(_ name: String) -> StepFigures {
    var step = StepFigures(name: name)
    for value in 1...100 { step.latency.record(UInt64(value) * 20_000) }
    return step
  }
}

extension ConnectionFigures {
  static var example: ConnectionFigures {
    var figures = ConnectionFigures()
    figures.opened = 640
    figures.failed = 3
    figures.lost = 2
    figures.fullHandshakes = 64
    figures.resumedHandshakes = 576
    figures.failedHandshakes = 1
    figures.tickets = 1280
    figures.helloRetries = 4
    figures.bytesSent = 21_400_000
    figures.bytesReceived = 33_100_000
    figures.loadBytesSent = 20_900_000
    figures.loadBytesReceived = 31_700_000
    figures.security = "TLSv1.3 TLS_AES_128_GCM_SHA256 X25519, onside/1"
    return figures
  }
}

extension ProcessFigures {
  static func example(pid: Int32) -> ProcessFigures {
    var figures = ProcessFigures(
      pid: pid, cpuNanoseconds: 5_123_456_789, residentBytes: 48 << 20,
      peakResidentBytes: 52 << 20)
    figures.residentBytesPerConnection = 18_432
    figures.idleCPUNanoseconds = 1_234_567
    figures.descriptors = 96
    figures.liveBytes = 12 << 20
    figures.contextSwitches = 123_456
    figures.syncs = 3210
    return figures
  }
}
