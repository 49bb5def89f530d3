extension OutputBuffer {
  /// Appends a frame with that payload, which is within the frame limit.
  mutating func appendFrame(
    _ type: FrameType, _ stream: StreamID, flags: FrameFlags = [], payload: [UInt8] = []
  ) {
    payload.withUnsafeBytes { appendFrame(type, stream, flags: flags, payload: $0) }
  }

  /// Appends a frame with that payload, which is within the frame limit.
  mutating func appendFrame(
    _ type: FrameType, _ stream: StreamID, flags: FrameFlags = [],
    payload: UnsafeRawBufferPointer
  ) {
    let room = reserveFrame(type, stream, flags: flags, payloadLength: payload.count)
    room.copyMemory(from: payload)
    commit(FrameHeader.size + payload.count)
  }

  /// Writes a frame's header into reserved space and returns the room for its payload. Both join
  /// the output with `commit(FrameHeader.size + payloadLength)`.
  mutating func reserveFrame(
    _ type: FrameType, _ stream: StreamID, flags: FrameFlags, payloadLength: Int
  ) -> UnsafeMutableRawBufferPointer {
    let room = reserve(FrameHeader.size + payloadLength)
    storeHeader(type, stream, flags: flags, payloadLength: payloadLength, at: room)
    return UnsafeMutableRawBufferPointer(rebasing: room[FrameHeader.size...])
  }

  /// Writes a frame's header at the start of reserved space.
  func storeHeader(
    _ type: FrameType, _ stream: StreamID, flags: FrameFlags, payloadLength: Int,
    at room: UnsafeMutableRawBufferPointer
  ) {
    guard let base = room.baseAddress else { return }
    // Payloads are at most 16 MiB: far below UInt32.
    FrameHeader(
      payloadLength: UInt32(truncatingIfNeeded: payloadLength), stream: stream, type: type,
      flags: flags
    ).store(to: base)
  }

  /// Appends a CREDIT for a stream, or for the connection.
  mutating func appendCredit(_ stream: StreamID, _ increment: Int) {
    let room = reserveFrame(.credit, stream, flags: [], payloadLength: 4)
    // An increment is at most a window: below 2³¹.
    room.storeBytes(of: UInt32(truncatingIfNeeded: increment).bigEndian, as: UInt32.self)
    commit(FrameHeader.size + 4)
  }

  /// Appends a PING or PONG with its eight bytes.
  mutating func appendPing(_ type: FrameType, _ value: UInt64) {
    let room = reserveFrame(type, .connection, flags: [], payloadLength: 8)
    room.storeBytes(of: value.bigEndian, as: UInt64.self)
    commit(FrameHeader.size + 8)
  }
}
