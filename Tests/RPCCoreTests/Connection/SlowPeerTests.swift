import RPCCore
import Testing

/// Peers that take their time: a frame that never ends, a connection that is never used.
@Suite struct SlowPeerTests {
  private func server(
    _ configure: (inout ConnectionConfiguration) -> Void = { _ in }
  ) -> Endpoint {
    var configuration = ConnectionConfiguration()
    configure(&configuration)
    var server = Endpoint(.server, configuration)
    _ = server.receive(Frame(.setup))
    _ = server.takeOutput()
    return server
  }

  private func rule(_ events: [TimerEvent]) -> ProtocolViolation.Rule? {
    guard case .violation(let violation) = events.first else { return nil }
    return violation.rule
  }

  /// One byte a second (C23): ended ten seconds after the frame began, whatever came meanwhile.
  @Test func aTrickledFrameEndsTheConnection() {
    var server = server()
    let frame = Frame(.call, 1, .halfClose, CallPayload.header).bytes
    for count in 1...10 {
      server.connection.inputWaits(count, now: server.now)
      #expect(server.tick() == [])
      server.advance(seconds: 1)
    }
    server.connection.inputWaits(frame.count - 1, now: server.now)
    #expect(server.connection.nextDeadline != nil)
    server.advance(seconds: 0.1)
    #expect(rule(server.tick()) == .frameTooSlow)
    #expect(server.takeFrames().map(\.header.type) == [.close])
    #expect(server.connection.nextDeadline == nil)
  }

  /// A slow link that keeps the minimum rate isn't punished: 60 KB at 2 KB a second.
  @Test func aFrameThatKeepsTheRateMayTakeLonger() {
    var server = server()
    for second in 1...30 {
      server.connection.inputWaits(second * 2_000, now: server.now)
      server.advance(seconds: 1)
      #expect(server.tick() == [])
    }
    #expect(server.receive(Frame(.call, 1, .halfClose, CallPayload.header)) != .nothing)
    server.connection.inputWaits(0, now: server.now)
    #expect(server.connection.nextDeadline == nil)
  }

  @Test func theSetupItselfIsTimedToo() {
    var configuration = ConnectionConfiguration()
    configuration.setupTimeout = .seconds(100)
    var server = Endpoint(.server, configuration)
    server.connection.inputWaits(4, now: server.now)
    server.advance(seconds: 10.1)
    #expect(rule(server.tick()) == .frameTooSlow)
  }

  /// An unused connection is drained: the client is told, and loses nothing.
  @Test func anUnusedConnectionIsDrained() {
    var server = server { $0.idleTimeout = .seconds(60) }
    #expect(server.connection.nextDeadline == server.now.advanced(by: .seconds(60)))
    server.advance(seconds: 60)
    #expect(server.tick() == [])
    #expect(server.connection.isIdle == true && server.connection.isDraining == true)
    let frames = server.takeFrames()
    #expect(frames.map(\.header.type) == [.drain, .ping])
    // A call that was under way is still taken.
    let call = server.receive(Frame(.call, 1, .halfClose, CallPayload.header))
    guard case .call = call else {
      Issue.record("a call that was on its way was refused: \(call)")
      return
    }
    _ = server.end(1, .ok)
    server.handlerEnded(1)
    server.advance(seconds: 1)
    #expect(server.tick() == [])
    #expect(server.connection.isDrained == true)
  }

  @Test func aUsedConnectionIsNotDrainedAndPingsDoNotCount() {
    var server = server { $0.idleTimeout = .seconds(60) }
    for index in 0..<5 {
      _ = server.receive(Frame(.call, UInt32(2 * index + 1), .halfClose, CallPayload.header))
      _ = server.end(UInt32(2 * index + 1), .ok)
      server.handlerEnded(UInt32(2 * index + 1))
      server.advance(seconds: 59)
      #expect(server.tick() == [])
      #expect(server.connection.isIdle == false)
    }
    for _ in 0..<3 {
      _ = server.receive(Frame(.ping, 0, [], [UInt8](repeating: 1, count: 8)))
      server.advance(seconds: 60)
      _ = server.tick()
    }
    #expect(server.connection.isIdle == true)
  }

  @Test func aClientIsNeverIdle() {
    var configuration = ConnectionConfiguration()
    configuration.idleTimeout = .seconds(1)
    var pair = Pair(client: configuration)
    pair.client.advance(seconds: 100)
    #expect(pair.client.tick() == [])
    #expect(pair.client.connection.isIdle == false)
  }
}

/// Peers that ask and don't take the answer: they give no credit for it.
@Suite struct UntakenReplyTests {
  /// A server with a reply of 100,000 bytes, for which the peer has credit of 64 KiB.
  private func server() -> Endpoint {
    var server = Endpoint(.server)
    _ = server.receive(Frame(.setup))
    _ = server.receive(Frame(.call, 1, .halfClose, CallPayload.header))
    return server
  }

  private func reply(_ server: inout Endpoint) {
    #expect(server.end(1, [UInt8](repeating: 7, count: 100_000)) == .queued)
    server.handlerEnded(1)
    server.connection.setDeadline(StreamID(1), server.now.advanced(by: .seconds(10)))
  }

  @Test func aReplyThatStandsStillAfterItsDeadlineEndsTheConnection() {
    var server = server()
    reply(&server)
    server.advance(seconds: 10)
    #expect(server.tick() == [])
    server.advance(seconds: 29.9)
    #expect(server.tick() == [])
    #expect(server.connection.liveCalls == 1)
    server.advance(seconds: 0.1)
    guard case .violation(let violation) = server.tick().first else {
      Issue.record("the reply waits for ever")
      return
    }
    #expect(violation.rule == .replyNotTaken && violation.code == .timeout)
  }

  @Test func aSlowReaderThatTakesSomethingIsWaitedFor() {
    var server = server()
    reply(&server)
    server.advance(seconds: 10)
    for _ in 0..<20 {
      #expect(server.tick() == [])
      server.advance(seconds: 29)
      _ = server.receive(Frame(.credit, 1, [], [0, 0, 0, 100]))
      server.advance(seconds: 1)
    }
    #expect(server.tick() == [])
    #expect(server.connection.liveCalls == 1)
    _ = server.receive(Frame(.credit, 1, [], [0, 1, 0, 0]))
    #expect(server.connection.liveCalls == 0)
  }

  /// Who gives a call no deadline may take its time: streams are slow on purpose.
  @Test func withoutADeadlineNothingIsEnforced() {
    var server = server()
    #expect(server.end(1, [UInt8](repeating: 7, count: 100_000)) == .queued)
    server.handlerEnded(1)
    server.advance(seconds: 100_000)
    #expect(server.tick() == [])
    #expect(server.connection.liveCalls == 1)
  }

  @Test func aCallWhoseHandlerRunsStillExpires() {
    var server = server()
    server.connection.setDeadline(StreamID(1), server.now.advanced(by: .seconds(10)))
    server.advance(seconds: 10)
    #expect(server.tick() == [.expired(StreamID(1))])
  }
}
