import RPCCore
import RPCTransport
import Synchronization

/// One connection: connect, handshake, a unary call, its reply, close. Notes what both sides'
/// layers above the transport are told.
final class Exchange: Sendable {
  /// What the layers above were told, each of them.
  struct Told {
    /// The client's attempt to connect: its completion.
    var completions = 0
    var clientEnds = 0
    var serverActive = 0
    var serverEnds = 0
    var replies = 0
    /// Why there was no channel, or how it ended without a reply.
    var errors: [String] = []
    var isConnected = false

    /// The client has heard all it will hear.
    var isClientDone: Bool { completions > 0 && (!isConnected || clientEnds > 0) }
  }

  private let state = Mutex(Told())

  var told: Told { state.withLock { $0 } }

  func note(_ change: (inout Told) -> Void) {
    state.withLock { change(&$0) }
  }

  /// Begins; `told` says how far it is.
  func start(_ endpoint: Endpoint, _ tls: ClientTLS, _ loop: EventLoop) {
    Connector().connect(
      to: endpoint, tls: tls, deadline: .current().advanced(by: .seconds(20)), loop: loop
    ) { _ in
      ClientSide(self)
    } completion: { result in
      self.note { told in
        told.completions += 1
        switch result {
        case .success: told.isConnected = true
        case .failure(let error): told.errors.append("\(error)")
        }
      }
    }
  }
}

/// Feeds whole frames to a core and writes what it answers.
private func feed(
  _ channel: Channel, _ bytes: UnsafeRawBufferPointer, _ connection: inout Connection,
  _ handle: (Received, inout Connection, inout OutputBuffer) -> Void
) -> Int {
  channel.withOutput { output in
    var offset = 0
    while case .frame(let header) = connection.parse(
      UnsafeRawBufferPointer(rebasing: bytes[offset...]).bytes, into: &output)
    {
      let start = offset + FrameHeader.size
      offset = start + Int(header.payloadLength)
      let payload = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
      let received = connection.receive(
        header, payload: payload.bytes, now: .current(), into: &output)
      handle(received, &connection, &output)
    }
    return offset
  }
}

/// Makes one call, and closes after its reply.
private final class ClientSide: ChannelHandler {
  private let exchange: Exchange
  private var connection = Connection(role: .client, configuration: .init(), now: .current())

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  func channelActive(_ channel: Channel) {
    channel.withOutput { output in
      connection.start(into: &output)
      // More than one TLS record.
      _ = connection.openCall(MethodPath("f.S/M"), messageCapacity: 40_000, into: &output) { room in
        room.initializeMemory(as: UInt8.self, repeating: 7)
        return room.count
      }
    }
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    feed(channel, bytes, &connection) { received, connection, output in
      guard case .end(let end) = received else { return }
      exchange.note { if end.code == .ok { $0.replies += 1 } }
      connection.close(.normal, into: &output)
      channel.close()
    }
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    connection.transportEnded()
    let wasLive = connection.popLiveStream() != nil
    exchange.note { told in
      told.clientEnds += 1
      if wasLive { told.errors.append("\(reason.text)") }
    }
  }
}

/// Answers a call with as many bytes as came with it.
final class ServerSide: ChannelHandler {
  private let exchange: Exchange
  private var connection = Connection(role: .server, configuration: .init(), now: .current())

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  func channelActive(_ channel: Channel) {
    exchange.note { $0.serverActive += 1 }
    channel.withOutput { connection.start(into: &$0) }
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    feed(channel, bytes, &connection) { received, connection, output in
      switch received {
      case .call(let call):
        let size = call.message?.count ?? 0
        _ = connection.end(call.stream, messageCapacity: size, into: &output) { room in
          room.initializeMemory(as: UInt8.self, repeating: 8)
          return room.count
        }
        connection.handlerEnded(call.stream, into: &output)
      case .closed: channel.close()
      default: break
      }
    }
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    connection.transportEnded()
    exchange.note { $0.serverEnds += 1 }
  }
}
