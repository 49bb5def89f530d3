import RPCCore

/// One direction between the two sides: bytes in order, handed over in pieces, late, or no more.
///
/// It also knows what the bytes under way mean, so that credit can be added up over both sides.
struct SimulatedPipe {
  private struct FrameOnTheWay {
    var end: Int
    var stream: StreamID
    var messageBytes: Int
    var increment: Int
  }

  private struct Arrival {
    var end: Int
    var instant: MonotonicInstant
  }

  private var bytes: [UInt8] = []
  private var head = 0
  private var sent = 0
  private var delivered = 0
  private var frames: [FrameOnTheWay] = []
  private var firstFrame = 0
  /// When which bytes can be there; only of those that are late.
  private var arrivals: [Arrival] = []
  /// Nothing is handed over before.
  var stalledUntil = MonotonicInstant(nanoseconds: 0)

  var isEmpty: Bool { head == bytes.count }

  /// Takes what a side has written: whole frames. They arrive at `arrival`, and behind all before
  /// them.
  mutating func accept(_ output: inout OutputBuffer, arrival: MonotonicInstant?) {
    guard !output.isEmpty else { return }
    output.withUnsafeBytes { written in
      bytes.append(contentsOf: written)
      note(written.bytes)
    }
    output.consume(output.count)
    if let arrival { arrivals.append(Arrival(end: sent, instant: arrival)) }
  }

  private mutating func note(_ written: RawSpan) {
    var offset = 0
    while case .header(let header) = FrameHeader.parse(
      written.extracting(offset..<written.byteCount), maximumPayload: 1 << 24)
    {
      let size = FrameHeader.size + Int(header.payloadLength)
      sent += size
      let payload = written.extracting(offset + FrameHeader.size..<offset + size)
      note(header, payload)
      offset += size
    }
  }

  private mutating func note(_ header: FrameHeader, _ payload: RawSpan) {
    var frame = FrameOnTheWay(end: sent, stream: header.stream, messageBytes: 0, increment: 0)
    switch header.type {
    case .message: frame.messageBytes = payload.byteCount
    case .call, .end: frame.messageBytes = messageBytes(behindBlockOf: payload)
    case .credit:
      frame.increment = Int(UInt32(bigEndian: payload.unsafeLoadUnaligned(as: UInt32.self)))
    default: return
    }
    if frame.messageBytes > 0 || frame.increment > 0 { frames.append(frame) }
  }

  /// CALL and END begin with a block and its length as a varint; the message is behind.
  private func messageBytes(behindBlockOf payload: RawSpan) -> Int {
    var length = 0
    var shift = 0
    var offset = 0
    while offset < payload.byteCount {
      let byte = payload.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      length |= Int(byte & 0x7F) << shift
      shift += 7
      offset += 1
      if byte < 0x80 { break }
    }
    return payload.byteCount - offset - length
  }

  /// Hands over at most `count` bytes of those that can be there.
  mutating func deliver(_ count: Int, to inbox: inout [UInt8], now: MonotonicInstant) {
    guard stalledUntil <= now else { return }
    var available = sent - delivered
    let isLate = arrivals.firstIndex { $0.instant > now }
    if let isLate { available = (isLate > 0 ? arrivals[isLate - 1].end : delivered) - delivered }
    let end = head + min(count, max(0, available))
    inbox.append(contentsOf: bytes[head..<end])
    delivered += end - head
    head = end
    arrivals.removeAll { $0.end <= delivered }
    if head == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  /// The faults stop: nothing is late or stalled.
  mutating func heal() {
    arrivals = []
    stalledUntil = MonotonicInstant(nanoseconds: 0)
  }

  /// The receiver has taken in every frame whose bytes were all delivered.
  mutating func settle() {
    while firstFrame < frames.count, frames[firstFrame].end <= delivered { firstFrame += 1 }
    if firstFrame == frames.count {
      frames.removeAll(keepingCapacity: true)
      firstFrame = 0
    }
  }

  /// Message bytes and credit under way: of one stream, or (messages) of all and (credit) of the
  /// connection.
  func onTheWay(_ stream: StreamID) -> (bytes: Int, credit: Int) {
    var result = (bytes: 0, credit: 0)
    for frame in frames[firstFrame...] {
      if stream == .connection || frame.stream == stream { result.bytes += frame.messageBytes }
      if frame.stream == stream { result.credit += frame.increment }
    }
    return result
  }
}
