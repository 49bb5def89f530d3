import RPCCore

/// A message that is to be sent.
struct SimulatedMessage: Equatable {
  /// Its length in bytes.
  var size: Int
  /// It is marked as compressed. The core doesn't look inside, so its bytes are as any others.
  var isCompressed: Bool

  /// Where a message belongs: it decides the message's bytes, so that one that is lost, doubled,
  /// reordered or mixed up with another shows.
  struct Place {
    var stream: StreamID
    var index: Int
    var isRequest: Bool

    private var first: Int {
      Int(stream.rawValue) &* 131 &+ index &* 17 &+ (isRequest ? 0 : 101)
    }

    func write(to room: UnsafeMutableRawBufferPointer) -> Int {
      let first = first
      for offset in room.indices { room[offset] = UInt8(truncatingIfNeeded: first &+ offset) }
      return room.count
    }

    func wrote(_ bytes: RawSpan) -> Bool {
      let first = first
      return bytes.withUnsafeBytes { bytes in
        var difference: UInt8 = 0
        for offset in bytes.indices {
          difference |= bytes[offset] ^ UInt8(truncatingIfNeeded: first &+ offset)
        }
        return difference == 0
      }
    }

    func wrote(_ content: MessageContent, in payload: RawSpan) -> Bool {
      switch content {
      case .borrowed(let range): wrote(payload.extracting(range))
      case .assembled(let bytes): wrote(bytes.span.bytes)
      }
    }
  }
}
