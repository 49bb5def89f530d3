import RPCCore
import Testing

@Suite struct CreditTests {
  private let kilobytes64 = [UInt8](repeating: 5, count: 65_536)

  @Test func creditComesBackWhenTheApplicationTakesTheMessage() {
    var server = Endpoint(.server)
    _ = server.receive(Frame(.setup))
    _ = server.receive(Frame(.call, 1, [], CallPayload.header))
    _ = server.takeOutput()
    _ = server.receive(Frame(.message, 1, .hasMessage, Array(kilobytes64.prefix(40_000))))
    #expect(server.takeFrames() == [], "nobody has taken the message")
    server.consumed(1, 40_000)
    #expect(server.takeFrames() == [Frame(.credit, 1, [], [0, 0, 0x9C, 0x40])])
  }

  @Test func connectionCreditComesBackOnArrival() {
    var server = Endpoint(.server)
    _ = server.receive(Frame(.setup))
    _ = server.takeOutput()
    for index in 0..<8 {
      let stream = UInt32(index * 2 + 1)
      let payload = CallPayload.header + kilobytes64.prefix(65_500)
      _ = server.receive(Frame(.call, stream, .hasMessage, payload))
    }
    #expect(server.takeFrames() == [])
    let payload = CallPayload.header + kilobytes64.prefix(65_500)
    _ = server.receive(Frame(.call, 99, .hasMessage, payload))
    #expect(server.takeFrames() == [Frame(.credit, 0, [], [0, 8, 0xFE, 0xBC])])
  }

  @Test func neverForADirectionThatIsClosed() {
    var server = Endpoint(.server)
    _ = server.receive(Frame(.setup))
    _ = server.takeOutput()
    let payload = CallPayload.header + kilobytes64.prefix(60_000)
    _ = server.receive(Frame(.call, 1, [.hasMessage, .halfClose], payload))
    server.consumed(1, 60_000)
    #expect(server.takeFrames() == [])
  }

  @Test func overdrawIsAViolation() {
    var server = Endpoint(.server)
    _ = server.receive(Frame(.setup))
    _ = server.receive(Frame(.call, 1, .hasMessage, CallPayload.header + [1]))
    #expect(server.receive(Frame(.message, 1, .hasMessage, kilobytes64)) == .violation(.credit))
  }

  @Test func overdrawOfTheConnectionIsAViolation() {
    // The client raised nothing: 1 MiB is what it gives. Late frames count as well.
    var client = Endpoint(.client)
    _ = client.receive(Frame(.setup))
    for _ in 0..<16 { _ = client.open("a.B/C", nil) }
    for index in 0..<16 {
      let event = client.receive(Frame(.message, UInt32(index * 2 + 1), .hasMessage, kilobytes64))
      guard case .message = event else {
        Issue.record("within the credit: \(event)")
        return
      }
    }
  }

  @Test func aStreamThatNobodyReadsStopsNoOther() {
    var pair = Pair()
    let large = Array(kilobytes64.prefix(65_000))
    _ = pair.open("a.B/C", large, halfClose: false)
    _ = pair.deliverToServer()
    let second = [UInt8](repeating: 6, count: 600)
    #expect(pair.client.send(1, second) == .queued)
    for _ in 0..<40 {
      guard let stream = pair.open("a.B/C", large, halfClose: false) else {
        Issue.record("no further call can be opened")
        return
      }
      let events = pair.deliverToServer()
      guard case .call(stream, _, message: .some(large), _, _) = events.last else {
        Issue.record("the call didn't get through")
        return
      }
      #expect(pair.client.cancel(stream) == .sent)
      #expect(pair.deliverToServer() == [.cancelled(stream)])
      pair.server.handlerEnded(stream)
      _ = pair.deliverToClient()
    }
    #expect(pair.client.popWritable() == [])
    pair.server.consumed(1, 65_000)
    #expect(pair.deliverToClient() == [.writable])
    #expect(pair.client.popWritable() == [1])
    #expect(pair.deliverToServer() == [.message(1, second, isLast: false)])
  }

  @Test func smallMessagesPassLargeOnes() {
    var pair = Pair()
    _ = pair.open("a.B/Large", [])
    _ = pair.open("a.B/Small", [])
    _ = pair.deliverToServer()
    #expect(pair.server.end(1, [UInt8](repeating: 1, count: 3_000_000)) == .queued)
    #expect(pair.server.end(3, [7]) == .sent)
    let events = pair.deliverToClient()
    #expect(events.last == .end(3, .ok, message: [7], notStarted: false))
  }

  @Test func setupRaisesTheWindowsOfOpenStreams() {
    var configuration = ConnectionConfiguration()
    configuration.streamWindow = 200_000
    configuration.connectionWindow = 2_000_000
    var pair = Pair(server: configuration, exchangesSetup: false)
    _ = pair.open("a.B/C", [UInt8](repeating: 3, count: 150_000))
    #expect(pair.client.takeFrames().map(\.payload.count).reduce(0, +) < 66_000)
    #expect(pair.deliverToClient() == [.setup])
    let rest = pair.client.takeFrames()
    #expect(rest.map(\.payload.count).reduce(0, +) == 150_000 - 65_536)
    #expect(rest.last?.header.flags == [.hasMessage, .halfClose])
  }

  @Test func anErrorNeedsNoCredit() {
    var pair = Pair()
    _ = pair.open()
    _ = pair.deliverToServer()
    #expect(pair.server.end(1, [UInt8](repeating: 1, count: 300_000)) == .queued)
    let before = pair.server.takeFrames()
    #expect(before.allSatisfy { $0.header.flags.contains(.more) })
    // The application can't change its mind, but a call that is still open can fail at once.
    _ = pair.open()
    _ = pair.deliverToServer()
    #expect(pair.server.send(3, kilobytes64) == .sent)
    #expect(pair.server.send(3, [1]) == .queued)
    #expect(pair.server.end(3, Status(code: .aborted)) == .sent)
    let frames = pair.server.takeFrames()
    #expect(frames.last?.header.type == .end)
    #expect(frames.count == 2, "the queued message is abandoned")
  }
}
