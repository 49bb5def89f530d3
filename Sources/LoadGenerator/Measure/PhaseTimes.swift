import LoadReporting

/// How long the parts of calls took, of the measured right answers. Those that a load doesn't go
/// through stay empty.
struct PhaseTimes: Sendable {
  var waitForSlot = LatencyHistogram()
  var tcpConnect = LatencyHistogram()
  var tlsFull = LatencyHistogram()
  var tlsResumed = LatencyHistogram()
  var firstByte = LatencyHistogram()
  var rpc = LatencyHistogram()
  var service = LatencyHistogram()
  var network = LatencyHistogram()

  /// Of the failed ones, from their planned start.
  var failed = LatencyHistogram()

  mutating func merge(_ other: PhaseTimes) {
    waitForSlot.merge(other.waitForSlot)
    tcpConnect.merge(other.tcpConnect)
    tlsFull.merge(other.tlsFull)
    tlsResumed.merge(other.tlsResumed)
    firstByte.merge(other.firstByte)
    rpc.merge(other.rpc)
    service.merge(other.service)
    network.merge(other.network)
    failed.merge(other.failed)
  }

  /// For the report, in the order in which a call goes through them.
  ///
  /// - Parameters:
  ///   - total: from the planned start.
  ///   - isPaced: whether there was a plan; without one, a call begins when it is planned to.
  func figures(total: LatencyHistogram, isPaced: Bool) -> [PhaseFigures] {
    let all: [(CallPhase, LatencyHistogram)] = [
      (.waitForSlot, waitForSlot), (.tcpConnect, tcpConnect), (.tlsFull, tlsFull),
      (.tlsResumed, tlsResumed), (.firstByte, firstByte), (.rpc, isPaced ? rpc : total),
      (.service, service), (.network, network), (.total, total),
    ]
    return all.filter { $0.1.count > 0 }.map { phase, latency in
      var figures = PhaseFigures(phase)
      figures.latency = latency
      return figures
    }
  }
}
