import RPCCore
import Testing

/// What the simulator has found, written down so that it stays found when the seeds mean something
/// else.
@Suite struct FoundBySimulationTests {
  /// A client that has sent the first 64 KiB of a longer message, and a server that is answering
  /// with more than it has credit for.
  private func answerInsideAMessage() -> Pair {
    var pair = Pair()
    _ = pair.client.open("t.S/M", nil)
    _ = pair.deliverToServer()
    #expect(pair.client.send(1, [UInt8](repeating: 1, count: 80_000)) == .queued)
    #expect(pair.deliverToServer() == [])
    let held = pair.server.connection.heldBytes.reassembly
    #expect(held > 0)
    #expect(pair.server.end(1, [UInt8](repeating: 2, count: 100_000)) == .queued)
    return pair
  }

  /// Seed 1056312 of the first release with four call shapes: what came behind the answer was
  /// dropped, but the server still took the client to be inside its message, and the half-close
  /// for a violation.
  @Test func aHalfCloseBehindAnAnswerInsideAMessageIsTaken() {
    var pair = answerInsideAMessage()
    _ = pair.deliverToClient()
    let result = pair.client.connection.halfClose(StreamID(1), into: &pair.client.output)
    #expect(result == .sent)
    let events = pair.deliverToServer()
    #expect(!events.isEmpty && events.allSatisfy { $0 == .dropped })
    let isClosed = pair.server.connection.isClosed
    #expect(!isClosed)
  }

  /// The half-received message of a call that is answered gives back what it held at once, not when
  /// its END has been written: other streams may wait for it.
  @Test func anAnswerInsideAMessageReturnsTheBudget() {
    var pair = answerInsideAMessage()
    let held = pair.server.connection.heldBytes.reassembly
    #expect(held == 0)
    let inconsistency = pair.server.connection.inconsistency()
    #expect(inconsistency == nil)
  }
}
