import RPCCore
import Testing

@Suite struct ConnectionAgeTests {
  private func pair(age: Int?, grace: Int? = nil, jitter: Double = 0) -> Pair {
    var configuration = ConnectionConfiguration()
    configuration.maximumAge = age.map { .seconds($0) }
    configuration.ageGrace = grace.map { .seconds($0) }
    return Pair(server: configuration, ageJitter: jitter)
  }

  @Test("A connection is drained at its age, and its calls are answered")
  func drainedAtItsAge() {
    var pair = pair(age: 60)
    _ = pair.open()
    _ = pair.deliverToServer()
    pair.server.advance(seconds: 59.9)
    #expect(pair.server.tick() == [])
    #expect(pair.server.output.isEmpty == true)
    #expect(pair.server.connection.isOld == false)
    pair.server.advance(seconds: 0.1)
    #expect(pair.server.connection.nextDeadline == pair.server.now)
    #expect(pair.server.tick() == [])
    #expect(pair.server.connection.isOld == true && pair.server.connection.isIdle == false)
    #expect(pair.deliverToClient() == [.drain(nil)])
    // A call that the client sent before it read the notice is taken.
    #expect(pair.client.open() == nil)
    _ = pair.deliverToServer()
    #expect(pair.deliverToClient() == [.drain(1)])
    #expect(pair.server.end(1, [7]) == .sent)
    pair.server.handlerEnded(1)
    #expect(pair.deliverToClient() == [.end(1, .ok, message: [7], notStarted: false)])
    #expect(pair.server.connection.isDrained == true)
    #expect(pair.server.connection.nextDeadline == nil)
  }

  @Test("Calls that outlast the grace time end with the connection")
  func closedAfterGrace() {
    var pair = pair(age: 60, grace: 5)
    _ = pair.open()
    _ = pair.deliverToServer()
    pair.server.advance(seconds: 60)
    #expect(pair.server.tick() == [])
    _ = pair.deliverToClient()
    _ = pair.deliverToServer()
    pair.server.advance(seconds: 4.9)
    #expect(pair.server.tick() == [])
    pair.server.advance(seconds: 0.1)
    #expect(pair.server.tick() == [.outlived])
    #expect(pair.server.connection.isClosed == true)
    let events = pair.deliverToClient()
    guard events.count == 2, case .closed(.goingAway, let text) = events[1] else {
      Issue.record("no CLOSE: \(events)")
      return
    }
    #expect(text.contains("maximum age"))
    // The call had begun: it isn't sent again by itself.
    #expect(pair.client.popLost().map(\.isNotStarted) == [false])
  }

  @Test(
    "The age varies by a tenth either way, and nonsense is held within",
    arguments: [(-1.0, 54.0), (1, 66), (0.5, 63), (-9, 54), (9, 66)])
  func jitter(_ jitter: Double, _ seconds: Double) {
    let start = Endpoint(.server).now
    let pair = pair(age: 60, jitter: jitter)
    let expected = start.advanced(by: .seconds(seconds))
    #expect(pair.server.connection.nextDeadline == expected)
  }

  @Test("Without an age, and on a client, nothing is due")
  func noAge() {
    #expect(pair(age: nil, grace: 1).server.connection.nextDeadline == nil)
    var configuration = ConnectionConfiguration()
    configuration.maximumAge = .seconds(1)
    #expect(Pair(client: configuration).client.connection.nextDeadline == nil)
    configuration.maximumAge = .nanoseconds(Int64.max)
    #expect(Pair(server: configuration).server.connection.nextDeadline == nil)
  }

  @Test("A connection that drains already isn't drained once more")
  func drainsOnce() {
    var pair = pair(age: 60)
    pair.server.connection.drain(now: pair.server.now, into: &pair.server.output)
    _ = pair.deliverToClient()
    _ = pair.deliverToServer()
    _ = pair.deliverToClient()
    pair.server.advance(seconds: 60)
    #expect(pair.server.tick() == [])
    #expect(pair.server.output.isEmpty == true)
    #expect(pair.server.connection.isOld == false)
  }
}
