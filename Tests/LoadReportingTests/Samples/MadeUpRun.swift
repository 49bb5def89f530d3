import Glibc

@testable import LoadReporting

/// The calls of a run that never was: 2,000 planned a second, answered in about a millisecond, with
/// a stall in the middle and errors behind it.
struct MadeUpRun {
  var pace = 1.0
  var calls = CallFigures()
  var delivery = LoadFigures()
  var series: [SecondFigures] = []
  var service = LatencyHistogram()

  private static let planned = 2000

  mutating func play(_ second: Int, of total: Int, _ random: inout SeededRandom) {
    let isMeasured = second > 2
    let isStalled = total > 20 && second == total / 2
    let failed = second == total / 2 + 1 ? 180 : second % 17 == 0 ? 3 : 0
    let skipped = isStalled ? 120 : 0
    let ok = MadeUpRun.planned - failed - skipped
    var latency = LatencyHistogram()
    for index in 0..<ok {
      var time = logNormal(pace * 900_000, 0.35, &random)
      if Double.random(in: 0..<1, using: &random) < 0.004 { time *= 6 }
      if isStalled { time += 400e6 * Double(index) / Double(ok) }
      latency.record(UInt64(time))
      if index % 4 == 0 { service.record(UInt64(min(time, 5e6) * 0.4)) }
    }
    if isMeasured {
      calls.latency.merge(latency)
      calls.latencyWithErrors.merge(latency)
      count(ok: ok, failed: failed, skipped: skipped)
      for _ in 0..<failed { fail(second, &random) }
    } else {
      calls.sent += ok
      calls.okOutside += ok
    }
    add(second, isMeasured, ok, failed, skipped, latency, &random)
  }

  func phase(_ phase: CallPhase) -> PhaseFigures {
    var figures = PhaseFigures(phase)
    switch phase {
    case .total: figures.latency = calls.latency
    case .service: figures.latency = service
    default:
      let place = Double(CallPhase.allCases.firstIndex(of: phase) ?? 0) + 1
      for value in 1...200 { figures.latency.record(UInt64(Double(value) * 4000 * place)) }
    }
    return figures
  }

  private mutating func count(ok: Int, failed: Int, skipped: Int) {
    calls.ok += ok
    calls.failed += failed
    calls.sent += ok + failed + 1
    calls.unanswered += 1
    calls.requestBytes += UInt64(ok * 121)
    calls.responseBytes += UInt64(ok * 214)
    delivery.planned += ok + failed + skipped
    delivery.sent += ok + failed
    delivery.completed += ok + failed - 1
    delivery.ok += ok
    delivery.skipped += skipped
    delivery.unsent += 1
    delivery.late += skipped / 3
    delivery.inFlightMax = Swift.max(delivery.inFlightMax, 14 + skipped)
    for index in 0..<100 { delivery.lag.record(UInt64(20_000 + index * 3000 + skipped * 90_000)) }
  }

  private mutating func fail(_ second: Int, _ random: inout SeededRandom) {
    let instant = UInt64(second - 1) * 1_000_000_000 + UInt64.random(in: 0..<1000, using: &random)
    calls.latencyWithErrors.record(900_000_000)
    if second % 17 == 0 {
      calls.failures.record(
        .init(phase: .answer, status: "UNAVAILABLE", reason: "STORE_BUSY"),
        "the store <busy> & \"slow\"", at: instant)
    } else {
      let number = Int.random(in: 1...5, using: &random)
      calls.failures.record(
        .init(phase: .call, status: "DEADLINE_EXCEEDED"), "no answer in 1 s (\(number))",
        at: instant)
    }
  }

  private mutating func add(
    _ second: Int, _ isMeasured: Bool, _ ok: Int, _ failed: Int, _ skipped: Int,
    _ latency: LatencyHistogram, _ random: inout SeededRandom
  ) {
    let wobble = Double.random(in: -0.04...0.04, using: &random)
    var figures = SecondFigures(
      second: Double(second), isMeasured: isMeasured, ok: ok, failed: failed,
      p50: latency.percentile(0.5), p99: latency.percentile(0.99),
      clientCores: milli(0.31 + wobble), serverCores: milli(0.44 + wobble * 2),
      serverResidentBytes: UInt64(40 << 20) + UInt64(second) * 90_112)
    figures.planned = MadeUpRun.planned
    figures.skipped = skipped
    figures.inFlight = Int.random(in: 2...9, using: &random) + skipped
    figures.connectionsOpened = second == 1 ? 64 : 10
    figures.p90 = latency.percentile(0.9)
    figures.max = latency.max
    figures.histogram = PackedHistogram(latency)
    figures.serverDescriptors = 90 + second % 5
    figures.serverContextSwitches = UInt64(3000 + second * 7)
    series.append(figures)
  }

  /// Reports keep three decimal places.
  private func milli(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private func logNormal(
    _ median: Double, _ width: Double, _ random: inout SeededRandom
  ) -> Double {
    let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &random)))
      .squareRoot()
    return median * exp(width * radius * cos(.random(in: 0..<(2 * .pi), using: &random)))
  }
}
