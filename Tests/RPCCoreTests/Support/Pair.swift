import RPCCore

/// A client and a server with nothing between them.
struct Pair: ~Copyable {
  var client: Endpoint
  var server: Endpoint
  private var toClient: [UInt8] = []
  private var toServer: [UInt8] = []

  /// A pair that has exchanged SETUP.
  init(
    client: ConnectionConfiguration = .init(), server: ConnectionConfiguration = .init(),
    exchangesSetup: Bool = true, ageJitter: Double = 0
  ) {
    self.client = Endpoint(.client, client)
    self.server = Endpoint(.server, server, ageJitter: ageJitter)
    if exchangesSetup {
      _ = deliverToServer()
      _ = deliverToClient()
    }
  }

  mutating func deliverToServer() -> [Event] {
    server.receive(bytes: client.takeOutput(), rest: &toServer)
  }

  mutating func deliverToClient() -> [Event] {
    client.receive(bytes: server.takeOutput(), rest: &toClient)
  }

  /// Opens a unary call on the client.
  mutating func open(
    _ method: String = "t.S/M", _ message: [UInt8] = [], halfClose: Bool = true
  ) -> UInt32? {
    client.open(method, message, halfClose: halfClose)
  }
}

extension Endpoint {
  mutating func open(
    _ method: String = "t.S/M", _ message: [UInt8]? = [], halfClose: Bool = true,
    timeout: UInt64? = nil, metadata: Metadata = Metadata(),
    deadline: MonotonicInstant = .distantFuture
  ) -> UInt32? {
    let result: OpenResult
    if let message {
      result = connection.openCall(
        MethodPath(method), timeoutMicroseconds: timeout, metadata: metadata, deadline: deadline,
        messageCapacity: message.count, halfClose: halfClose, into: &output
      ) { room in
        room.copyBytes(from: message)
        return message.count
      }
    } else {
      result = connection.openCall(
        MethodPath(method), timeoutMicroseconds: timeout, metadata: metadata, deadline: deadline,
        into: &output)
    }
    guard case .opened(let stream) = result else { return nil }
    return stream.rawValue
  }

  mutating func send(_ stream: UInt32, _ message: [UInt8], halfClose: Bool = false) -> SendResult {
    connection.sendMessage(
      StreamID(stream), messageCapacity: message.count, halfClose: halfClose, into: &output
    ) { room in
      room.copyBytes(from: message)
      return message.count
    }
  }

  mutating func end(
    _ stream: UInt32, _ message: [UInt8], trailers: Metadata = Metadata()
  ) -> SendResult {
    connection.end(
      StreamID(stream), trailers: trailers, messageCapacity: message.count, into: &output
    ) { room in
      room.copyBytes(from: message)
      return message.count
    }
  }

  mutating func end(_ stream: UInt32, _ status: Status) -> SendResult {
    connection.end(StreamID(stream), status, into: &output)
  }

  mutating func handlerEnded(_ stream: UInt32) {
    connection.handlerEnded(StreamID(stream), into: &output)
  }

  mutating func setDeadline(_ stream: UInt32, seconds: Double) {
    let time = Int64(seconds * 1_000_000_000)
    connection.setDeadline(StreamID(stream), now.advanced(byNanoseconds: time))
  }

  mutating func consumed(_ stream: UInt32, _ bytes: Int) {
    connection.consumed(StreamID(stream), bytes, into: &output)
  }

  mutating func ping(_ value: UInt64) {
    _ = connection.ping(value, now: now, into: &output)
  }

  mutating func cancel(_ stream: UInt32) -> SendResult {
    connection.cancel(StreamID(stream), into: &output)
  }
}
