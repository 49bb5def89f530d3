import RPCCore

/// The first byte says which end the rest arrives at, and in which pieces.
func fuzzFrames(_ input: [UInt8]) throws {
  var input = FuzzInput(input)
  let choice = input.byte()
  let pieces = [1, 5, 64, 1_000, 70_000]
  var end = FuzzedEnd(choice & 1 == 0 ? .server : .client, hasSetup: choice & 2 == 0)
  let piece = pieces[Int(choice >> 2) % pieces.count]
  while !input.isUsedUp, !end.connection.isClosed { try end.receive(input.take(piece)) }
  try end.finish()
}

/// One end and an application that answers what comes in as it may.
private struct FuzzedEnd: ~Copyable {
  var connection: Connection
  private var output = OutputBuffer()
  private var inbox: [UInt8] = []
  private var now = MonotonicInstant(nanoseconds: 1_000_000_000)

  init(_ role: ConnectionRole, hasSetup: Bool) {
    var configuration = ConnectionConfiguration()
    configuration.acceptedCompression = [.zlib]
    configuration.maximumConcurrentCalls = 4
    configuration.maximumMessageSize = 100_000
    configuration.reassemblyBudget = 100_000
    connection = Connection(role: role, configuration: configuration, now: now)
    connection.start(into: &output)
    if hasSetup {
      let setup = FrameHeader(payloadLength: 0, stream: .connection, type: .setup)
      _ = connection.receive(setup, payload: [UInt8]().span.bytes, now: now, into: &output)
    }
    guard role == .client else { return }
    for size in [0, 10, 100_000] {
      _ = connection.openCall(
        MethodPath("f.S/M"), messageCapacity: size, halfClose: size == 10, into: &output,
        encode: { $0.count })
    }
  }

  mutating func receive(_ piece: ArraySlice<UInt8>) throws {
    inbox += piece
    var bytes: [UInt8] = []
    swap(&bytes, &inbox)
    let offset = try takeFrames(bytes.span.bytes)
    bytes.removeFirst(offset)
    inbox = bytes
    try settle()
  }

  /// Takes whole frames off the front; how many bytes they are.
  private mutating func takeFrames(_ bytes: RawSpan) throws -> Int {
    var offset = 0
    while true {
      switch connection.parse(bytes.extracting(offset..<bytes.byteCount), into: &output) {
      case .incomplete: return offset
      case .violation: return bytes.byteCount
      case .frame(let header):
        let start = offset + FrameHeader.size
        offset = start + Int(header.payloadLength)
        let payload = bytes.extracting(start..<offset)
        let received = connection.receive(header, payload: payload, now: now, into: &output)
        try answer(received, payload)
      }
    }
  }

  private mutating func answer(_ received: Received, _ payload: RawSpan) throws {
    switch received {
    case .call(let call):
      _ = try? Metadata(callHeader: payload.extracting(call.header))
      try answer(call)
    case .message(let message):
      // Every second stream's messages are never taken.
      guard message.stream.rawValue % 4 == 1 else { return }
      connection.consumed(message.stream, message.content.count, into: &output)
    case .cancelled(let stream), .failed(let stream, _):
      connection.handlerEnded(stream, into: &output)
    case .violation:
      guard connection.isClosed else { throw FuzzFinding("open after a violation") }
    default: break
    }
  }

  /// What a handler does is a matter of its stream.
  private mutating func answer(_ call: InboundCall) throws {
    let stream = call.stream
    let result: SendResult
    switch stream.rawValue / 2 % 5 {
    case 0: result = connection.end(stream, .ok, into: &output)
    case 1:
      result = connection.end(stream, messageCapacity: 90_000, into: &output) { $0.count }
    case 2:
      _ = connection.sendHeaders(stream, Metadata(), into: &output)
      result = connection.sendMessage(stream, messageCapacity: 70_000, into: &output) { $0.count }
    case 3: result = connection.end(stream, Status(code: .aborted), into: &output)
    default: return
    }
    if case .misuse(let misuse) = result { throw FuzzFinding("an answer is misuse: \(misuse)") }
    if stream.rawValue / 2 % 2 == 0 { connection.handlerEnded(stream, into: &output) }
  }

  private mutating func settle() throws {
    if let text = connection.inconsistency() { throw FuzzFinding(text) }
    // The peer reads, more or less.
    output.consume(output.count)
    connection.resume(into: &output)
    while connection.popWritable() != nil {}
    guard connection.liveCalls <= 4 || connection.role == .client else {
      throw FuzzFinding("\(connection.liveCalls) calls are live, 4 are allowed")
    }
  }

  /// Time passes, and the connection ends.
  mutating func finish() throws {
    for _ in 0..<4 {
      now = now.advanced(by: .seconds(10))
      while case .expired = connection.tick(now: now, into: &output) {}
    }
    connection.transportEnded()
    while connection.popLiveStream() != nil {}
    guard connection.liveCalls == 0 else { throw FuzzFinding("calls are live after the end") }
  }
}
