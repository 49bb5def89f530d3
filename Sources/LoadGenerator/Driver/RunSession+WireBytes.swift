import LoadReporting
import RPCTransport

extension RunSession {
  /// How long the goodbyes of connections are waited for that the load has closed.
  private static let goodbyes = (times: 50, pause: Duration.milliseconds(5))

  /// What has gone over the wire so far, on connections that are open and on those that have ended.
  func wireBytes() async -> WireBytes {
    var sum = WireBytes()
    for driver in run.drivers {
      let (clients, count) = (clients, run.drivers.count)
      sum += await driver.ask { driver in
        var bytes = WireBytes()
        for lane in driver.lanes {
          let ended = lane.figures.connections
          bytes += WireBytes(sent: ended.bytesSent, received: ended.bytesReceived)
        }
        for index in stride(from: driver.index, to: clients.count, by: count) {
          bytes += clients[index].openWireBytes
        }
        return bytes
      }
    }
    return sum
  }

  /// Fills in what went over the wire, and how much of it since the load began.
  func addWireBytes(to report: inout LoadReport) async {
    await waitForGoodbyes()
    let (all, load) = (await wireBytes(), wireBefore)
    report.connections.bytesSent = all.sent
    report.connections.bytesReceived = all.received
    report.connections.loadBytesSent = (all - load).sent
    report.connections.loadBytesReceived = (all - load).received
  }

  /// Those whose calls got no answer stay open: nobody waits long for them.
  private func waitForGoodbyes() async {
    for _ in 0..<Self.goodbyes.times {
      var leaving = 0
      for driver in run.drivers {
        leaving += await driver.ask { $0.lanes.reduce(0) { $0 + $1.leaving } }
      }
      guard leaving > 0 else { return }
      try? await Task.sleep(for: Self.goodbyes.pause)
    }
  }
}
