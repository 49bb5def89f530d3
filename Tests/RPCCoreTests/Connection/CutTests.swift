import RPCCore
import Testing

/// One exchange with every kind of frame, recorded; fed in pieces and cut at every byte.
@Suite struct CutTests {
  private struct Recording {
    var toServer: [UInt8]
    var toClient: [UInt8]
  }

  private func record() throws -> Recording {
    var pair = Pair(exchangesSetup: false)
    var metadata = Metadata()
    try metadata.add("k", "v")
    _ = pair.client.open("a.B/Unary", [1, 2, 3], timeout: 5_000, metadata: metadata)
    _ = pair.client.open("a.B/Stream", nil)
    _ = pair.client.send(3, [4])
    _ = pair.client.send(3, [], halfClose: true)
    _ = pair.client.open("a.B/Cancelled", [7])
    _ = pair.client.cancel(5)
    _ = pair.client.connection.ping(1, now: pair.client.now, into: &pair.client.output)
    var toServer = pair.client.takeOutput()
    var rest: [UInt8] = []
    _ = pair.server.receive(bytes: toServer, rest: &rest)
    _ = pair.server.connection.sendHeaders(StreamID(3), metadata, into: &pair.server.output)
    _ = pair.server.send(3, [8, 9])
    _ = pair.server.end(1, [5, 6], trailers: metadata)
    _ = pair.server.end(3, Status(code: .aborted, message: "m"))
    let toClient = pair.server.takeOutput()
    pair.client.connection.close(.normal, "done", into: &pair.client.output)
    toServer += pair.client.takeOutput()
    return Recording(toServer: toServer, toClient: toClient)
  }

  private func server() -> Endpoint { Endpoint(.server) }

  private func client() -> Endpoint {
    var client = Endpoint(.client)
    _ = client.open("a.B/Unary", [1, 2, 3])
    _ = client.open("a.B/Stream", nil)
    _ = client.open("a.B/Cancelled", [7])
    _ = client.cancel(5)
    _ = client.connection.ping(1, now: client.now, into: &client.output)
    return client
  }

  private func check(_ bytes: [UInt8], _ make: () -> Endpoint) {
    var whole = make()
    var rest: [UInt8] = []
    let expected = whole.receive(bytes: bytes, rest: &rest)
    #expect(rest.isEmpty == true)
    #expect(!expected.contains { if case .violation = $0 { true } else { false } })
    let reply = whole.takeOutput()
    for cut in 0...bytes.count {
      var endpoint = make()
      var rest: [UInt8] = []
      let before = endpoint.receive(bytes: Array(bytes[..<cut]), rest: &rest)
      #expect(before.elementsEqual(expected.prefix(before.count)), "cut at \(cut)")
      let isAtFrameEnd = rest.isEmpty
      let after = endpoint.receive(bytes: Array(bytes[cut...]), rest: &rest)
      #expect(before + after == expected, "cut at \(cut)")
      #expect(endpoint.takeOutput() == reply)
      // What was cut off inside of a frame gives no event: nothing incomplete is handed out.
      if !isAtFrameEnd { #expect(before.count < expected.count || after.isEmpty) }
    }
    var endpoint = make()
    rest = []
    #expect(bytes.flatMap { endpoint.receive(bytes: [$0], rest: &rest) } == expected)
  }

  @Test func everySplitGivesTheSame() throws {
    let recording = try record()
    check(recording.toServer, server)
    check(recording.toClient, client)
  }

  /// One bit wrong anywhere: an action, never a trap, and never a call that wasn't made twice.
  @Test func everyFlippedBitGivesAnAction() throws {
    let recording = try record()
    for position in recording.toServer.indices {
      for bit in 0..<8 {
        var bytes = recording.toServer
        bytes[position] ^= 1 << bit
        var endpoint = server()
        var rest: [UInt8] = []
        let events = endpoint.receive(bytes: bytes, rest: &rest)
        let calls = events.compactMap { if case .call(let id, _, _, _, _) = $0 { id } else { nil } }
        #expect(Set(calls).count == calls.count)
      }
    }
    for position in recording.toClient.indices {
      for bit in 0..<8 {
        var bytes = recording.toClient
        bytes[position] ^= 1 << bit
        var endpoint = client()
        var rest: [UInt8] = []
        let events = endpoint.receive(bytes: bytes, rest: &rest)
        let ends = events.compactMap { if case .end(let id, _, _, _) = $0 { id } else { nil } }
        #expect(Set(ends).count == ends.count)
      }
    }
  }
}
