import RPCCore
import Testing

@Suite struct BudgetTests {
  private func server(_ limits: (inout AbuseLimits) -> Void = { _ in }) -> Endpoint {
    var configuration = ConnectionConfiguration()
    configuration.maximumConcurrentCalls = 10
    limits(&configuration.abuse)
    var server = Endpoint(.server, configuration)
    _ = server.receive(Frame(.setup))
    _ = server.takeOutput()
    return server
  }

  /// How many of a repeated input pass before the connection ends, and why it ends.
  private func endurance(
    _ endpoint: inout Endpoint, limit: Int = 200_000, _ body: (inout Endpoint, Int) -> Event
  ) -> (count: Int, rule: ProtocolViolation.Rule?) {
    for index in 0..<limit {
      if case .violation(let rule) = body(&endpoint, index) { return (index, rule) }
    }
    return (limit, nil)
  }

  @Test func rapidReset() {
    var server = server()
    var zombies: [UInt32] = []
    var cancelled = 0
    let result = endurance(&server) { server, index in
      let stream = UInt32(index * 2 + 1)
      _ = server.receive(Frame(.call, stream, .halfClose, CallPayload.header))
      let event = server.receive(Frame(.cancel, stream))
      if case .cancelled = event {
        cancelled += 1
        zombies.append(stream)
      }
      #expect(zombies.count <= 10 && server.connection.liveCalls <= 10)
      // Handlers end late: most calls find no slot, which has its own budget.
      if index.isMultiple(of: 4), !zombies.isEmpty { server.handlerEnded(zombies.removeFirst()) }
      return event
    }
    #expect(result.rule == .cancelBudget)
    #expect(cancelled == 200 && result.count > 600)
  }

  @Test func cancellingWhatIsOverIsFree() {
    var server = server { $0.cancels = 0 }
    for index in 0..<1_000 as Range<UInt32> {
      let stream = 2 * index + 1
      _ = server.receive(Frame(.call, stream, .halfClose, CallPayload.header))
      server.setDeadline(stream, seconds: 10)
      switch index % 3 {
      case 0:
        // Answered while the CANCEL was under way, and over.
        #expect(server.end(stream, .ok) == .sent)
        server.handlerEnded(stream)
        #expect(server.receive(Frame(.cancel, stream)) == .dropped)
      case 1:
        // Answered, and the handler goes on.
        #expect(server.end(stream, .ok) == .sent)
        #expect(server.receive(Frame(.cancel, stream)) == .dropped)
        server.handlerEnded(stream)
      default:
        // The client's clock is a little faster.
        server.advance(seconds: 9.95)
        #expect(server.receive(Frame(.cancel, stream)) == .cancelled(stream))
        server.handlerEnded(stream)
      }
      _ = server.takeOutput()
    }
    #expect(server.connection.liveCalls == 0)
    // Budgets are never below twice the slots.
    for index in 1_000..<1_020 as Range<UInt32> {
      let stream = 2 * index + 1
      _ = server.receive(Frame(.call, stream, .halfClose, CallPayload.header))
      server.setDeadline(stream, seconds: 10)
      server.advance(seconds: 0.01)
      #expect(server.receive(Frame(.cancel, stream)) == .cancelled(stream))
      server.handlerEnded(stream)
    }
    _ = server.receive(Frame(.call, 2_041, .halfClose, CallPayload.header))
    #expect(server.receive(Frame(.cancel, 2_041)) == .violation(.cancelBudget))
  }

  @Test func pingFlood() {
    var server = server()
    let ping = Frame(.ping, 0, [], [1, 2, 3, 4, 5, 6, 7, 8])
    let result = endurance(&server) { server, _ in server.receive(ping) }
    #expect(result.rule == .pingBudget && result.count == 100)
    server = self.server()
    for _ in 0..<600 {
      #expect(server.receive(ping) == .nothing)
      server.advance(seconds: 10)
    }
  }

  @Test func creditFlood() {
    var server = server()
    let credit = Frame(.credit, 0, [], [0, 0, 0, 1])
    let result = endurance(&server) { server, _ in server.receive(credit) }
    #expect(result.rule == .controlBudget && result.count == 10_000)
  }

  @Test func creditThatAnswersMessagesIsFree() {
    var server = server { $0.controlFrames = 0 }
    _ = server.receive(Frame(.call, 1, .halfClose, CallPayload.header))
    for _ in 0..<1_000 {
      #expect(server.send(1, [1]) == .sent)
      #expect(server.receive(Frame(.credit, 1, [], [0, 0, 0, 1])) == .nothing)
      _ = server.takeOutput()
    }
    #expect(
      server.receive(Frame(.credit, 1, [], [0, 0, 0, 1])) == .violation(.controlBudget))
  }

  @Test func extensionsAreSkippedWithinABudget() {
    var server = server()
    let frame = Frame(FrameType(rawValue: 200), 77, FrameFlags(rawValue: 255), [1])
    let result = endurance(&server) { server, _ in server.receive(frame) }
    #expect(result.rule == .extensionBudget && result.count == 1_000)
  }

  @Test func emptyMessages() {
    var server = server()
    _ = server.receive(Frame(.call, 1, [], CallPayload.header))
    let frame = Frame(.message, 1, .hasMessage)
    let result = endurance(&server) { server, _ in server.receive(frame) }
    #expect(result.rule == .emptyMessageBudget && result.count == 10_000)
  }

  @Test func lateFramesBeyondTheExpected() {
    var server = server()
    _ = server.receive(Frame(.call, 1, .halfClose, CallPayload.header))
    _ = server.end(1, .ok)
    server.handlerEnded(1)
    let frame = Frame(.message, 1, .hasMessage, [1])
    let result = endurance(&server) { server, _ in server.receive(frame) }
    #expect(result.rule == .lateFrameBudget)
    #expect((1_000...1_100).contains(result.count))
  }

  @Test func whatWasUnderWayWhenACallEndedIsExpected() {
    var server = server { $0.lateFrames = 0 }
    _ = server.receive(Frame(.call, 1, [], CallPayload.header))
    _ = server.end(1, Status(code: .aborted))
    server.handlerEnded(1)
    for _ in 0..<65_536 {
      guard server.receive(Frame(.message, 1, .hasMessage, [1])) == .dropped else {
        Issue.record("a frame within the stream's credit was an error")
        return
      }
    }
  }

  @Test func callsThatProvokeOurErrors() {
    var server = server()
    // A header block of 30,832 bytes.
    let big: [UInt8] = [0xF0, 0xF0, 0x01] + [UInt8](repeating: 0, count: 30_832)
    let result = endurance(&server) { server, index in
      return server.receive(Frame(.call, UInt32(index * 2 + 1), .halfClose, big))
    }
    #expect(result.rule == .streamErrorBudget && result.count == 200)
  }

  @Test func aPeerThatDoesNotReadItsReplies() {
    var configuration = ConnectionConfiguration()
    configuration.maximumConcurrentCalls = 0
    configuration.outputLimit = 10_000
    var server = Endpoint(.server, configuration)
    _ = server.receive(Frame(.setup))
    let result = endurance(&server) { server, index in
      server.receive(Frame(.call, UInt32(index * 2 + 1), .halfClose, CallPayload.header))
    }
    #expect(result.rule == .notReading)
    #expect(server.output.count < 12_000)
  }

  @Test func refusedCalls() {
    var server = server { $0.refusedCalls = 50 }
    let result = endurance(&server) { server, index in
      server.receive(Frame(.call, UInt32(index * 2 + 1), .halfClose, CallPayload.header))
    }
    #expect(result.rule == .refusedCallBudget && result.count == 60)
  }
}
