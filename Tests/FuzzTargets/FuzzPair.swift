import RPCCore

/// Both ends of a connection, with nothing between them, and the metadata that arrived last.
struct FuzzPair: ~Copyable {
  private var client: Connection
  private var server: Connection
  private var clientOutput = OutputBuffer()
  private var serverOutput = OutputBuffer()
  private let now = MonotonicInstant(nanoseconds: 1_000_000_000)
  var received: Metadata?

  init() {
    var configuration = ConnectionConfiguration()
    configuration.acceptedCompression = [.zlib]
    client = Connection(role: .client, configuration: configuration, now: now)
    server = Connection(role: .server, configuration: configuration, now: now)
    client.start(into: &clientOutput)
    server.start(into: &serverOutput)
    deliverToServer()
    deliverToClient()
  }

  mutating func openCall(_ metadata: Metadata) {
    _ = client.openCall(MethodPath("f.S/M"), metadata: metadata, into: &clientOutput)
  }

  mutating func sendHeaders(_ metadata: Metadata) {
    _ = server.sendHeaders(StreamID(1), metadata, into: &serverOutput)
  }

  /// Hands a frame of stream 1 to the server.
  mutating func toServer(_ type: FrameType, _ payload: [UInt8]) {
    clientOutput.consume(clientOutput.count)
    clientOutput.append(frame(type, payload))
    deliverToServer()
  }

  /// Hands a frame of stream 1 to the client.
  mutating func toClient(_ type: FrameType, _ payload: [UInt8]) {
    serverOutput.consume(serverOutput.count)
    serverOutput.append(frame(type, payload))
    deliverToClient()
  }

  private func frame(_ type: FrameType, _ payload: [UInt8]) -> [UInt8] {
    let header = FrameHeader(
      payloadLength: UInt32(clamping: payload.count), stream: StreamID(1), type: type)
    var bytes = [UInt8](repeating: 0, count: FrameHeader.size)
    bytes.withUnsafeMutableBytes { if let base = $0.baseAddress { header.store(to: base) } }
    return bytes + payload
  }

  mutating func deliverToServer() {
    let bytes = clientOutput.withUnsafeBytes { [UInt8]($0) }
    clientOutput.consume(bytes.count)
    received = feed(bytes, to: &server, &serverOutput, now) ?? received
  }

  mutating func deliverToClient() {
    let bytes = serverOutput.withUnsafeBytes { [UInt8]($0) }
    serverOutput.consume(bytes.count)
    received = feed(bytes, to: &client, &clientOutput, now) ?? received
  }

  mutating func check() throws {
    if let text = client.inconsistency() { throw FuzzFinding("client: \(text)") }
    if let text = server.inconsistency() { throw FuzzFinding("server: \(text)") }
  }
}

/// Feeds whole frames; gives back the metadata that the last of them brought.
private func feed(
  _ bytes: [UInt8], to connection: inout Connection, _ output: inout OutputBuffer,
  _ now: MonotonicInstant
) -> Metadata? {
  var metadata: Metadata?
  var offset = 0
  let bytes = bytes.span.bytes
  while case .frame(let header) = connection.parse(
    bytes.extracting(offset..<bytes.byteCount), into: &output)
  {
    let start = offset + FrameHeader.size
    offset = start + Int(header.payloadLength)
    let payload = bytes.extracting(start..<offset)
    switch connection.receive(header, payload: payload, now: now, into: &output) {
    case .call(let call):
      metadata = try? Metadata(callHeader: payload.extracting(call.header))
    case .headers(_, let block): metadata = try? Metadata(headers: payload.extracting(block))
    case .end(let end): _ = try? Status(decoding: payload.extracting(end.status))
    default: break
    }
  }
  return metadata
}
