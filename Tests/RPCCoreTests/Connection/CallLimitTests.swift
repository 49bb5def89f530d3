import RPCCore
import Testing

@Suite struct CallLimitTests {
  private func call(entries: Int, keyBytes: Int = 1, valueBytes: Int = 1) -> [UInt8] {
    var header: [UInt8] = [0x0A, 5] + Array("a.B/C".utf8)
    for _ in 0..<entries {
      let key = [UInt8](repeating: UInt8(ascii: "k"), count: keyBytes)
      let value = [UInt8](repeating: UInt8(ascii: "v"), count: valueBytes)
      let entry = [0x0A, UInt8(keyBytes)] + key + [0x12] + varint(valueBytes) + value
      header += [0x1A] + varint(entry.count) + entry
    }
    return varint(header.count) + header
  }

  private func varint(_ value: Int) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private func receive(_ payload: [UInt8]) -> (Event, [Frame]) {
    var server = Endpoint(.server)
    _ = server.receive(Frame(.setup))
    _ = server.takeOutput()
    let event = server.receive(Frame(.call, 1, .halfClose, payload))
    return (event, server.takeFrames())
  }

  @Test func metadataAtTheLimitPassesAndOneMoreIsRefused() throws {
    guard case .call = receive(call(entries: 128)).0 else {
      Issue.record("128 entries were refused")
      return
    }
    let (event, frames) = receive(call(entries: 129))
    #expect(event == .refused(1, .tooManyEntries))
    let end = try #require(frames.first)
    #expect(end.header.type == .end && end.header.flags == [])
    #expect(
      try Status(decoding: Array(end.payload.dropFirst()).span.bytes).code == .resourceExhausted)
  }

  @Test func aHeaderAboveItsLimitIsRefused() {
    #expect(receive(call(entries: 1, valueBytes: 17_000)).0 == .refused(1, .headerTooLarge))
    guard case .call = receive(call(entries: 1, valueBytes: 16_000)).0 else {
      Issue.record("a header within the limit was refused")
      return
    }
  }

  @Test func malformedHeadersEndTheConnection() {
    let elevenByteVarint = [UInt8](repeating: 0x80, count: 10) + [1]
    #expect(receive(elevenByteVarint).0 == .violation(.malformed))
    #expect(receive([5, 0x0A, 9, 65, 65, 65]).0 == .violation(.malformed), "inner length too long")
    #expect(receive([200, 1, 0]).0 == .violation(.malformed), "header longer than the frame")
    #expect(receive([0]).0 == .violation(.malformed), "no method")
    #expect(receive(call(entries: 1, keyBytes: 65)).0 == .violation(.malformed))
  }

  @Test func slotsCountUntilTheHandlerHasEnded() {
    var configuration = ConnectionConfiguration()
    configuration.maximumConcurrentCalls = 2
    var pair = Pair(server: configuration)
    let first = pair.open()
    _ = pair.open()
    #expect(pair.open() == nil, "the client keeps to the server's number")
    #expect(pair.deliverToServer().count == 2)
    #expect(pair.client.cancel(first ?? 0) == .sent)
    #expect(pair.open() == 5)
    #expect(pair.deliverToServer() == [.cancelled(1), .refused(5, .noSlot)])
    guard case .end(5, let status, nil, notStarted: true) = pair.deliverToClient().first else {
      Issue.record("not refused as not started")
      return
    }
    #expect(status.code == .unavailable)
    pair.server.handlerEnded(1)
    #expect(pair.open() == 7)
    guard case .call = pair.deliverToServer().first else {
      Issue.record("the slot isn't free")
      return
    }
  }

  @Test func anOversizedMessageEndsItsCallOnly() {
    var configuration = ConnectionConfiguration()
    configuration.maximumMessageSize = 50_000
    var server = Endpoint(.server, configuration)
    _ = server.receive(Frame(.setup))
    let big = [UInt8](repeating: 0, count: 50_001)
    #expect(
      server.receive(Frame(.call, 1, [.hasMessage, .halfClose], CallPayload.header + big))
        == .refused(1, .messageTooLarge))
    _ = server.receive(Frame(.call, 3, [], CallPayload.header))
    #expect(
      server.receive(Frame(.message, 3, [.hasMessage, .more], Array(big.prefix(30_000))))
        == .nothing)
    #expect(
      server.receive(Frame(.message, 3, [.hasMessage, .more], Array(big.prefix(20_001))))
        == .failed(3, .messageTooLarge))
    #expect(server.receive(Frame(.message, 3, .hasMessage, [1])) == .dropped)
    #expect(server.connection.liveCalls == 1)
    server.handlerEnded(3)
    #expect(server.connection.liveCalls == 0)
    #expect(server.connection.isClosed == false)
  }

  @Test func aClientThatGetsAnOversizedMessageCancels() {
    var configuration = ConnectionConfiguration()
    configuration.maximumMessageSize = 10
    var client = Endpoint(.client, configuration)
    _ = client.receive(Frame(.setup))
    _ = client.open()
    _ = client.takeOutput()
    let big = [UInt8](repeating: 0, count: 11)
    #expect(client.receive(Frame(.message, 1, .hasMessage, big)) == .failed(1, .messageTooLarge))
    #expect(client.takeFrames() == [Frame(.cancel, 1)])
    #expect(client.receive(Frame(.end, 1, [], [0])) == .dropped)
  }

  @Test func idsRiseAndRunOut() {
    var configuration = ConnectionConfiguration()
    configuration.firstStream = StreamID(0x7FFF_FFFD)
    var pair = Pair(client: configuration)
    #expect(pair.open() == 0x7FFF_FFFD)
    #expect(pair.client.connection.isDraining == false)
    #expect(pair.open() == 0x7FFF_FFFF)
    let result = pair.client.connection.openCall(MethodPath("a.B/C"), into: &pair.client.output)
    #expect(result == .refused(.exhausted))
    #expect(pair.client.connection.isDraining == true)
    #expect(pair.deliverToServer().count == 2)
    for stream: UInt32 in [0x7FFF_FFFF, 0x7FFF_FFFD, 2, 0] {
      var server = Endpoint(.server)
      _ = server.receive(Frame(.setup))
      _ = server.receive(Frame(.call, 0x7FFF_FFFF, [], CallPayload.header))
      #expect(
        server.receive(Frame(.call, stream, [], CallPayload.header)) == .violation(.streamID))
    }
  }
}
