import RPCCore

/// One side of a connection with its output buffer, and what it received as comparable values.
struct Endpoint: ~Copyable {
  var connection: Connection
  var output = OutputBuffer()
  var now = MonotonicInstant(nanoseconds: 1_000_000_000)

  init(
    _ role: ConnectionRole, _ configuration: ConnectionConfiguration = .init(),
    ageJitter: Double = 0
  ) {
    connection = Connection(
      role: role, configuration: configuration, now: now, ageJitter: ageJitter)
    connection.start(into: &output)
  }

  /// Takes everything that was written.
  mutating func takeOutput() -> [UInt8] {
    let bytes = output.withUnsafeBytes { [UInt8]($0) }
    output.consume(bytes.count)
    return bytes
  }

  /// The frames that were written.
  mutating func takeFrames() -> [Frame] { Frame.all(in: takeOutput()) }

  /// Feeds one frame.
  mutating func receive(_ frame: Frame) -> Event {
    Event(
      connection.receive(frame.header, payload: frame.payload.span.bytes, now: now, into: &output),
      payload: frame.payload)
  }

  /// Feeds received bytes through `parse`, keeping what isn't a whole frame in `rest`.
  mutating func receive(bytes: [UInt8], rest: inout [UInt8]) -> [Event] {
    rest += bytes
    var events: [Event] = []
    while true {
      switch connection.parse(rest.span.bytes, into: &output) {
      case .incomplete: return events
      case .violation(let violation):
        events.append(.violation(violation.rule))
        return events
      case .frame(let header):
        let size = FrameHeader.size + Int(header.payloadLength)
        let payload = Array(rest[FrameHeader.size..<size])
        rest.removeFirst(size)
        let event = receive(Frame(header: header, payload: payload))
        if event != .nothing { events.append(event) }
      }
    }
  }

  mutating func advance(seconds: Double) {
    now = now.advanced(byNanoseconds: Int64(seconds * 1_000_000_000))
  }

  /// Ticks until nothing is due.
  mutating func tick() -> [TimerEvent] {
    var events: [TimerEvent] = []
    while true {
      let event = connection.tick(now: now, into: &output)
      if event == .none { return events }
      events.append(event)
    }
  }

  mutating func popWritable() -> [UInt32] {
    var ids: [UInt32] = []
    while let id = connection.popWritable() { ids.append(id.rawValue) }
    return ids
  }

  mutating func popLost() -> [LostCall] {
    var calls: [LostCall] = []
    while let call = connection.popLiveStream() { calls.append(call) }
    return calls
  }
}

/// A frame in one piece.
struct Frame: Equatable, CustomStringConvertible {
  var header: FrameHeader
  var payload: [UInt8]

  init(header: FrameHeader, payload: [UInt8]) {
    self.header = header
    self.payload = payload
  }

  init(_ type: FrameType, _ stream: UInt32 = 0, _ flags: FrameFlags = [], _ payload: [UInt8] = []) {
    header = FrameHeader(
      payloadLength: UInt32(payload.count), stream: StreamID(stream), type: type, flags: flags)
    self.payload = payload
  }

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FrameHeader.size)
    bytes.withUnsafeMutableBytes { if let base = $0.baseAddress { header.store(to: base) } }
    return bytes + payload
  }

  var description: String {
    "\(header.type) \(header.stream) \(header.flags) \(payload.count)"
  }

  static func all(in bytes: [UInt8]) -> [Frame] {
    var frames: [Frame] = []
    var rest = bytes[...]
    while case .header(let header) = FrameHeader.parse(
      Array(rest).span.bytes, maximumPayload: 1 << 24)
    {
      let size = FrameHeader.size + Int(header.payloadLength)
      guard rest.count >= size else { break }
      frames.append(
        Frame(
          header: header, payload: Array(rest.dropFirst(FrameHeader.size).prefix(size - 10))))
      rest = rest.dropFirst(size)
    }
    return frames
  }
}

/// `Received` as an owned, comparable value.
enum Event: Equatable {
  case nothing
  case setup
  case call(UInt32, method: String, message: [UInt8]?, timeout: UInt64?, halfClosed: Bool)
  case headers(UInt32, Metadata)
  case message(UInt32, [UInt8], isLast: Bool)
  case halfClosed(UInt32)
  case end(UInt32, Status, message: [UInt8]?, notStarted: Bool)
  case cancelled(UInt32)
  case writable
  case pong(UInt64?)
  case drain(UInt32?)
  case closed(CloseCode, String)
  case refused(UInt32, CallRefusal)
  case failed(UInt32, StreamFailure)
  case dropped
  case violation(ProtocolViolation.Rule)

  init(_ received: Received, payload: [UInt8]) {
    func bytes(_ content: MessageContent) -> [UInt8] {
      switch content {
      case .borrowed(let range): Array(payload[range])
      case .assembled(let bytes): bytes
      }
    }
    func metadata(_ range: Range<Int>) -> Metadata {
      (try? Metadata(headers: Array(payload[range]).span.bytes)) ?? Metadata()
    }
    switch received {
    case .nothing: self = .nothing
    case .setup: self = .setup
    case .call(let call):
      self = .call(
        call.stream.rawValue, method: String(decoding: payload[call.method], as: UTF8.self),
        message: call.message.map(bytes), timeout: call.timeoutMicroseconds,
        halfClosed: call.isHalfClosed)
    case .headers(let stream, let block): self = .headers(stream.rawValue, metadata(block))
    case .message(let message):
      self = .message(message.stream.rawValue, bytes(message.content), isLast: message.isLast)
    case .halfClosed(let stream): self = .halfClosed(stream.rawValue)
    case .end(let end):
      let status = try? Status(decoding: Array(payload[end.status]).span.bytes)
      self = .end(
        end.stream.rawValue, status ?? Status(code: .dataLoss), message: end.message.map(bytes),
        notStarted: end.isNotStarted)
    case .cancelled(let stream): self = .cancelled(stream.rawValue)
    case .writable: self = .writable
    case .pong(let value): self = .pong(value)
    case .drain(let notice): self = .drain(notice.lastAccepted?.rawValue)
    case .closed(let close): self = .closed(close.code, close.text)
    case .refused(let stream, let refusal): self = .refused(stream.rawValue, refusal)
    case .failed(let stream, let failure): self = .failed(stream.rawValue, failure)
    case .dropped: self = .dropped
    case .violation(let violation): self = .violation(violation.rule)
    }
  }
}
