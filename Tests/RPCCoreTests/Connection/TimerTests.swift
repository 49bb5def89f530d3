import RPCCore
import Testing

@Suite struct TimerTests {
  private func keepAlive(_ interval: Int, withoutCalls: Bool = true) -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration()
    configuration.keepAlive.interval = .seconds(interval)
    configuration.keepAlive.timeout = .seconds(5)
    configuration.keepAlive.withoutCalls = withoutCalls
    return configuration
  }

  @Test func aSilentPeerIsFoundOut() {
    var pair = Pair(client: keepAlive(20))
    pair.client.advance(seconds: 19)
    #expect(pair.client.tick() == [])
    #expect(pair.client.output.isEmpty == true)
    pair.client.advance(seconds: 1)
    #expect(pair.client.tick() == [])
    #expect(pair.client.takeFrames().map(\.header.type) == [.ping])
    pair.client.advance(seconds: 4.9)
    #expect(pair.client.tick() == [])
    pair.client.advance(seconds: 0.1)
    guard case .violation(let violation) = pair.client.tick().first else {
      Issue.record("the peer's silence wasn't noticed")
      return
    }
    #expect(violation.rule == .keepAliveTimeout && violation.code == .timeout)
  }

  @Test func anyFrameIsASignOfLife() {
    var pair = Pair(client: keepAlive(20))
    pair.client.advance(seconds: 20)
    _ = pair.client.tick()
    pair.client.advance(seconds: 4)
    _ = pair.client.receive(Frame(.credit, 0, [], [0, 0, 0, 1]))
    pair.client.advance(seconds: 4)
    #expect(pair.client.tick() == [])
    pair.client.advance(seconds: 1)
    #expect(pair.client.tick().count == 1)
  }

  @Test func thePeersPolicyIsKept() {
    var server = ConnectionConfiguration()
    server.keepAlive.minimumPeerInterval = .seconds(60)
    var pair = Pair(client: keepAlive(1), server: server)
    #expect(pair.client.connection.nextDeadline == pair.client.now.advanced(by: .seconds(60)))
    pair.client.advance(seconds: 59)
    #expect(pair.client.tick() == [])
    #expect(pair.client.output.isEmpty == true)
  }

  @Test func noPingsWithoutCallsUnlessAsked() {
    var pair = Pair(client: keepAlive(20, withoutCalls: false))
    #expect(pair.client.connection.nextDeadline == nil)
    _ = pair.open()
    #expect(pair.client.connection.nextDeadline == pair.client.now.advanced(by: .seconds(20)))
  }

  @Test func setupIsAwaitedForTenSeconds() {
    var server = Endpoint(.server)
    server.advance(seconds: 9.9)
    #expect(server.tick() == [])
    server.advance(seconds: 0.1)
    guard case .violation(let violation) = server.tick().first else {
      Issue.record("the missing SETUP wasn't noticed")
      return
    }
    #expect(violation.rule == .setupTimeout)
  }

  @Test func expiredCallsAreReportedOnceEach() {
    var pair = Pair()
    let start = pair.client.now
    for seconds in [3, 1, 2] {
      _ = pair.client.open(deadline: start.advanced(by: .seconds(seconds)))
    }
    #expect(pair.client.connection.nextDeadline == start.advanced(by: .seconds(1)))
    pair.client.advance(seconds: 2)
    #expect(Set(pair.client.tick()) == [.expired(StreamID(3)), .expired(StreamID(5))])
    #expect(pair.client.tick() == [])
    #expect(pair.client.connection.nextDeadline == start.advanced(by: .seconds(3)))
  }

  @Test func anAnsweredCallDoesNotExpire() {
    var pair = Pair()
    _ = pair.open()
    _ = pair.deliverToServer()
    pair.server.connection.setDeadline(StreamID(1), pair.server.now.advanced(by: .seconds(1)))
    _ = pair.server.end(1, .ok)
    pair.server.advance(seconds: 2)
    #expect(pair.server.tick() == [])
    #expect(pair.server.connection.nextDeadline == nil)
  }

  @Test func deadlinePolicy() {
    var policy = DeadlinePolicy()
    let now = MonotonicInstant(nanoseconds: 5)
    func deadline(_ timeout: UInt64?, fallback: Bool = true) -> Int64 {
      policy.deadline(timeoutMicroseconds: timeout, usesFallback: fallback, received: now)
        .nanoseconds
    }
    #expect(deadline(nil) == 10_000_000_005)
    #expect(deadline(nil, fallback: false) == .max)
    #expect(deadline(1) == 1_005)
    #expect(deadline(.max) == .max)
    policy.maximum = .seconds(1)
    #expect(deadline(.max) == 1_000_000_005)
    #expect(deadline(nil, fallback: false) == 1_000_000_005)
    let later = now.advanced(byNanoseconds: 2_500)
    #expect(DeadlinePolicy.timeoutMicroseconds(until: later, now: now) == 2)
    #expect(DeadlinePolicy.timeoutMicroseconds(until: now, now: later) == 1)
    #expect(DeadlinePolicy.timeoutMicroseconds(until: .distantFuture, now: now) == nil)
  }
}
