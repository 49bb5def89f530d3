import RPCCore

/// A state that a stream (or the whole connection) can be in, and how to get there.
struct StreamSituation: Sendable {
  let name: String
  let role: ConnectionRole
  /// Brings an endpoint that has exchanged SETUP into the state of stream 1.
  let enter: @Sendable (inout Endpoint) -> Void
  var exchangesSetup = true

  func makeEndpoint() -> Endpoint {
    var configuration = ConnectionConfiguration()
    configuration.acceptedCompression = [.zlib]
    var endpoint = Endpoint(role, configuration)
    if exchangesSetup { _ = endpoint.receive(Frame(.setup)) }
    enter(&endpoint)
    _ = endpoint.takeOutput()
    return endpoint
  }

  static let all = server + client

  private static func served(
    _ name: String, _ flags: FrameFlags, _ enter: @escaping @Sendable (inout Endpoint) -> Void
  ) -> StreamSituation {
    StreamSituation(name: name, role: .server) { endpoint in
      let message: [UInt8] = flags.contains(.hasMessage) ? [9] : []
      _ = endpoint.receive(Frame(.call, 1, flags, CallPayload.header + message))
      enter(&endpoint)
    }
  }

  static let server: [StreamSituation] = [
    StreamSituation(name: "before SETUP", role: .server, enter: { _ in }, exchangesSetup: false),
    StreamSituation(name: "never opened", role: .server) { _ in },
    served("open", []) { _ in },
    served("inside a message", [.hasMessage, .more]) { _ in },
    served("half-closed", [.hasMessage, .halfClose]) { _ in },
    served("answering", []) { endpoint in
      _ = endpoint.connection.sendHeaders(StreamID(1), Metadata(), into: &endpoint.output)
    },
    served("answering, half-closed", [.hasMessage, .halfClose]) { endpoint in
      _ = endpoint.connection.sendHeaders(StreamID(1), Metadata(), into: &endpoint.output)
      _ = endpoint.send(1, [1])
    },
    served("answering, inside a message", [.hasMessage, .more]) { endpoint in
      _ = endpoint.send(1, [1])
    },
    served("answering, no credit", []) { endpoint in
      _ = endpoint.send(1, [UInt8](repeating: 7, count: 100_000))
    },
    served("END queued", []) { endpoint in
      _ = endpoint.end(1, [UInt8](repeating: 7, count: 100_000))
    },
    served("END sent, handler runs", []) { endpoint in _ = endpoint.end(1, .ok) },
    served("cancelled, handler runs", []) { endpoint in _ = endpoint.receive(Frame(.cancel, 1)) },
    served("over", []) { endpoint in
      _ = endpoint.end(1, .ok)
      endpoint.handlerEnded(1)
    },
    StreamSituation(name: "PING sent", role: .server) { $0.ping(7) },
    StreamSituation(name: "drain announced", role: .server) { endpoint in
      endpoint.connection.drain(now: endpoint.now, into: &endpoint.output)
    },
    StreamSituation(name: "drained", role: .server) { endpoint in
      endpoint.connection.drain(now: endpoint.now, into: &endpoint.output)
      endpoint.advance(seconds: 2)
      _ = endpoint.tick()
    },
    closed(.server),
  ]

  static let client: [StreamSituation] = [
    StreamSituation(name: "before SETUP", role: .client, enter: { _ in }, exchangesSetup: false),
    StreamSituation(name: "never opened", role: .client) { _ in },
    StreamSituation(name: "open", role: .client) { _ = $0.open("a.B/C", nil) },
    StreamSituation(name: "half-closed", role: .client) { _ = $0.open() },
    StreamSituation(name: "after HEADERS", role: .client) { endpoint in
      _ = endpoint.open()
      _ = endpoint.receive(Frame(.headers, 1))
    },
    StreamSituation(name: "inside a message", role: .client) { endpoint in
      _ = endpoint.open()
      _ = endpoint.receive(Frame(.message, 1, [.hasMessage, .more], [1]))
    },
    StreamSituation(name: "after a message", role: .client) { endpoint in
      _ = endpoint.open()
      _ = endpoint.receive(Frame(.message, 1, .hasMessage, [1]))
    },
    streaming("streaming, after HEADERS") { _ = $0.receive(Frame(.headers, 1)) },
    streaming("streaming, inside a message") { endpoint in
      _ = endpoint.receive(Frame(.message, 1, [.hasMessage, .more], [1]))
    },
    streaming("streaming, after a message") { endpoint in
      _ = endpoint.receive(Frame(.message, 1, .hasMessage, [1]))
    },
    streaming("streaming, no credit") { endpoint in
      _ = endpoint.send(1, [UInt8](repeating: 7, count: 100_000))
    },
    StreamSituation(name: "cancelled", role: .client) { endpoint in
      _ = endpoint.open()
      _ = endpoint.cancel(1)
    },
    StreamSituation(name: "over", role: .client) { endpoint in
      _ = endpoint.open()
      _ = endpoint.receive(Frame(.end, 1, [], [0]))
    },
    StreamSituation(name: "PING sent", role: .client) { $0.ping(7) },
    StreamSituation(name: "drained, live", role: .client) { endpoint in
      _ = endpoint.open()
      _ = endpoint.receive(Frame(.drain, 0, [], [8, 1]))
    },
    closed(.client),
  ]

  /// A call that goes on in both directions.
  private static func streaming(
    _ name: String, _ enter: @escaping @Sendable (inout Endpoint) -> Void
  ) -> StreamSituation {
    StreamSituation(name: name, role: .client) { endpoint in
      _ = endpoint.open("a.B/C", nil)
      enter(&endpoint)
    }
  }

  private static func closed(_ role: ConnectionRole) -> StreamSituation {
    StreamSituation(name: "connection closed", role: role) { endpoint in
      endpoint.connection.close(.normal, into: &endpoint.output)
    }
  }
}

/// Payloads of CALL.
enum CallPayload {
  /// Length, field 1, "a.B/C".
  static let header: [UInt8] = [7, 0x0A, 5] + Array("a.B/C".utf8)
}
