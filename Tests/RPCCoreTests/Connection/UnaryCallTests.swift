import RPCCore
import Testing

@Suite struct UnaryCallTests {
  @Test func oneFrameEachWay() {
    var pair = Pair()
    #expect(pair.open("a.B/C", [1, 2, 3]) == 1)
    #expect(
      pair.deliverToServer() == [
        .call(1, method: "a.B/C", message: [1, 2, 3], timeout: nil, halfClosed: true)
      ])
    #expect(pair.server.connection.liveCalls == 1)
    #expect(pair.server.end(1, [9, 8]) == .sent)
    #expect(pair.server.connection.liveCalls == 1, "the handler hasn't ended")
    pair.server.handlerEnded(1)
    #expect(pair.server.connection.liveCalls == 0)
    #expect(pair.deliverToClient() == [.end(1, .ok, message: [9, 8], notStarted: false)])
    #expect(pair.client.connection.liveCalls == 0)
  }

  @Test func callsGoOutBeforeThePeersSetup() {
    var pair = Pair(exchangesSetup: false)
    #expect(pair.open("a.B/C", [5]) == 1)
    #expect(
      pair.deliverToServer() == [
        .setup, .call(1, method: "a.B/C", message: [5], timeout: nil, halfClosed: true),
      ])
    #expect(pair.deliverToClient() == [.setup])
  }

  @Test func errorStatusWithEverything() throws {
    var pair = Pair()
    _ = pair.open()
    _ = pair.deliverToServer()
    var status = Status(code: .notFound, message: "no % \n \0 🙂")
    status.details = [StatusDetail(typeURL: "x/rpc.v1.ErrorInfo", value: [1, 0, 255])]
    try status.trailers.add("b-bin", binary: Array(0...255))
    try status.trailers.add("a", "text")
    #expect(pair.server.end(1, status) == .sent)
    #expect(pair.deliverToClient() == [.end(1, status, message: nil, notStarted: false)])
  }

  @Test func timeoutAndMetadataArrive() throws {
    var pair = Pair()
    var metadata = Metadata()
    try metadata.add("authorization", "Bearer x")
    try metadata.add("k", binary: [0, 200])
    try metadata.add("k", "second")
    #expect(pair.client.open("a.B/C", [], timeout: 1_500_000, metadata: metadata) == 1)
    let frames = pair.client.takeFrames()
    var server = pair.server.connection
    var output = OutputBuffer()
    let payload = frames[0].payload
    let received = server.receive(
      frames[0].header, payload: payload.span.bytes, now: pair.server.now, into: &output)
    guard case .call(let call) = received else {
      Issue.record("not a call")
      return
    }
    #expect(call.timeoutMicroseconds == 1_500_000)
    #expect(call.metadataCount == 3)
    #expect(try Metadata(callHeader: Array(payload[call.header]).span.bytes) == metadata)
  }

  @Test func largeMessagesAreCutBothWays() {
    var pair = Pair()
    let request = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let response = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    #expect(pair.open("a.B/C", request) == 1)
    var received: [Event] = []
    for _ in 0..<100 where received.count < 2 {
      received += pair.deliverToServer()
      _ = pair.deliverToClient()
      pair.client.connection.resume(into: &pair.client.output)
    }
    #expect(
      received == [
        .call(1, method: "a.B/C", message: nil, timeout: nil, halfClosed: false),
        .message(1, request, isLast: true),
      ])
    #expect(pair.server.end(1, response) == .queued)
    pair.server.handlerEnded(1)
    var answers: [Event] = []
    for _ in 0..<500 where answers.count < 2 {
      answers += pair.deliverToClient().filter { $0 != .writable }
      _ = pair.deliverToServer()
      pair.server.connection.resume(into: &pair.server.output)
    }
    #expect(
      answers == [
        .message(1, response, isLast: false), .end(1, .ok, message: nil, notStarted: false),
      ])
    #expect(pair.server.connection.liveCalls == 0)
  }
}
