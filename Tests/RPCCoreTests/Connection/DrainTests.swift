import RPCCore
import Testing

@Suite struct DrainTests {
  @Test func twoStepsLoseNoCall() {
    var pair = Pair()
    _ = pair.open()
    _ = pair.deliverToServer()
    pair.server.connection.drain(now: pair.server.now, into: &pair.server.output)
    // Sent before the notice is read.
    #expect(pair.open() == 3)
    #expect(pair.deliverToClient() == [.drain(nil)])
    #expect(pair.open() == nil)
    let events = pair.deliverToServer()
    guard case .call(3, _, _, _, _) = events.first else {
      Issue.record("the call under way was lost: \(events)")
      return
    }
    #expect(events.last == .pong(nil))
    #expect(pair.deliverToClient() == [.drain(3)])
    for stream: UInt32 in [1, 3] {
      #expect(pair.server.connection.isDrained == false)
      _ = pair.server.end(stream, .ok)
      pair.server.handlerEnded(stream)
    }
    #expect(pair.server.connection.isDrained == true)
    #expect(pair.deliverToClient().count == 2)
    #expect(pair.client.connection.isDrained == true)
  }

  @Test func afterASecondWithoutAPong() {
    var pair = Pair()
    pair.server.connection.drain(now: pair.server.now, into: &pair.server.output)
    _ = pair.server.takeOutput()
    #expect(pair.server.connection.nextDeadline == pair.server.now.advanced(by: .seconds(1)))
    pair.server.advance(seconds: 1)
    #expect(pair.server.tick() == [])
    #expect(pair.server.takeFrames() == [Frame(.drain)])
    _ = pair.open()
    #expect(pair.deliverToServer() == [.refused(1, .draining)])
    guard case .end(1, _, nil, notStarted: true) = pair.deliverToClient().first else {
      Issue.record("not refused as not started")
      return
    }
  }

  @Test func aPingUnderWayDelaysTheDrainsOwn() {
    var pair = Pair()
    #expect(pair.server.connection.ping(7, now: pair.server.now, into: &pair.server.output) == true)
    pair.server.connection.drain(now: pair.server.now, into: &pair.server.output)
    #expect(pair.deliverToClient() == [.drain(nil)])
    #expect(pair.deliverToServer() == [.pong(7)])
    #expect(pair.deliverToClient() == [])
    #expect(pair.deliverToServer() == [.pong(nil)])
    #expect(pair.deliverToClient() == [.drain(0)])
  }

  @Test func theIdNeverRises() {
    var client = Endpoint(.client)
    _ = client.receive(Frame(.setup))
    #expect(client.receive(Frame(.drain, 0, [], [8, 5])) == .drain(5))
    #expect(client.receive(Frame(.drain, 0, [], [8, 5])) == .drain(5))
    #expect(client.receive(Frame(.drain, 0, [], [8, 3])) == .drain(3))
    #expect(client.receive(Frame(.drain, 0, [], [8, 5])) == .violation(.drain))
  }

  @Test func lostCallsAboveTheLastIdWereNotStarted() {
    var pair = Pair()
    _ = pair.open()
    _ = pair.open()
    _ = pair.client.receive(Frame(.drain, 0, [], [8, 1]))
    pair.client.connection.transportEnded()
    let lost = pair.client.popLost()
    #expect(Set(lost.map(\.stream.rawValue)) == [1, 3])
    #expect(lost.allSatisfy { $0.isNotStarted == ($0.stream.rawValue == 3) })
  }
}
