import RPCCore
import Testing

/// The byte examples of Docs/protocol.md are what the core writes.
@Suite struct ProtocolPageTests {
  /// The examples by name: the bytes without the comments.
  private func examples() throws -> [String: [UInt8]] {
    let page = try #require(PackageFile.read("Docs/protocol.md"))
    var examples: [String: [UInt8]] = [:]
    var current: String?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```example ") {
        let name = String(line.dropFirst("```example ".count))
        examples[name] = []
        current = name
      } else if line.hasPrefix("```") {
        current = nil
      } else if let current {
        let code = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        for byte in code.split(separator: " ") {
          examples[current]?.append(try #require(UInt8(byte, radix: 16), "in \(current): \(line)"))
        }
      }
    }
    return examples
  }

  private func written(_ name: String) throws -> [UInt8]? {
    var client = Endpoint(.client)
    var server = Endpoint(.server)
    let setup = server.takeOutput()
    if name == "setup" { return setup }
    _ = client.takeOutput()
    _ = client.receive(Frame(.setup))
    _ = server.receive(Frame(.setup))
    switch name {
    case "unary-call": _ = client.open("a.B/C", [0x08, 0x2A], timeout: 1_500_000)
    case "fragments": return fragments()
    case "half-close", "cancel":
      _ = client.open("a.B/C", nil)
      _ = client.takeOutput()
      if name == "cancel" {
        _ = client.cancel(1)
      } else {
        _ = client.connection.halfClose(StreamID(1), into: &client.output)
      }
    case "metadata":
      var metadata = Metadata()
      try metadata.add("k", "v")
      try metadata.add("b", binary: [0xFF])
      _ = client.open("a.B/C", nil, metadata: metadata)
    case "ping":
      _ = client.connection.ping(0x0102_0304_0506_0708, now: client.now, into: &client.output)
    case "close": client.connection.close(.protocolError, "reason", into: &client.output)
    default: return try serverWritten(name, &server)
    }
    return client.takeOutput()
  }

  /// Without credit the message is queued; it is cut when the credit comes.
  private func fragments() -> [UInt8] {
    var configuration = ConnectionConfiguration()
    configuration.fragmentSize = 2
    var client = Endpoint(.client, configuration)
    _ = client.receive(Frame(.setup))
    _ = client.open("a.B/C", [UInt8](repeating: 0, count: 65_000), halfClose: false)
    _ = client.send(1, [UInt8](repeating: 0, count: 536))
    _ = client.send(1, [0x08, 0x2A, 0x10, 0x2B], halfClose: true)
    _ = client.takeOutput()
    _ = client.receive(Frame(.credit, 1, [], [0, 0, 0, 4]))
    return client.takeOutput()
  }

  private func serverWritten(_ name: String, _ server: inout Endpoint) throws -> [UInt8]? {
    _ = server.receive(Frame(.call, 1, [], CallPayload.header))
    switch name {
    case "unary-reply": _ = server.end(1, [0x08, 0x2B])
    case "error": _ = server.end(1, Status(code: .notFound, message: "gone"))
    case "credit":
      _ = server.receive(Frame(.message, 1, .hasMessage, [UInt8](repeating: 0, count: 32_768)))
      server.consumed(1, 32_768)
    case "pong": _ = server.receive(Frame(.ping, 0, [], [1, 2, 3, 4, 5, 6, 7, 8]))
    case "drain-notice", "drain":
      server.connection.drain(now: server.now, into: &server.output)
      let notice = server.takeFrames()[0].bytes
      if name == "drain-notice" { return notice }
      server.advance(seconds: 1)
      _ = server.tick()
    default: return nil
    }
    return server.takeOutput()
  }

  @Test func examplesAreWhatTheCoreWrites() throws {
    let examples = try examples()
    #expect(examples.count == 14)
    for (name, bytes) in examples {
      let expected = try #require(try written(name), "no code for the example \(name)")
      #expect(bytes == expected, "example \(name)")
    }
  }

  @Test func examplesAreUnderstoodByTheOtherSide() throws {
    let examples = try examples()
    var server = Endpoint(.server)
    var rest: [UInt8] = []
    let events = server.receive(
      bytes: (examples["setup"] ?? []) + (examples["unary-call"] ?? []), rest: &rest)
    #expect(
      events == [
        .setup,
        .call(1, method: "a.B/C", message: [0x08, 0x2A], timeout: 1_500_000, halfClosed: true),
      ])
    var client = Endpoint(.client)
    _ = client.open()
    #expect(
      client.receive(
        bytes: (examples["setup"] ?? []) + (examples["error"] ?? []), rest: &rest) == [
          .setup,
          .end(1, Status(code: .notFound, message: "gone"), message: nil, notStarted: false),
        ])
  }

  @Test func theMinimalClientsSetupIsEnough() {
    var server = Endpoint(.server)
    var rest: [UInt8] = []
    #expect(server.receive(bytes: [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], rest: &rest) == [.setup])
  }
}
