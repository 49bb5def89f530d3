extension Connection {
  private enum Step {
    /// Something was written; the stream has more.
    case progress
    /// The stream has nothing more to write.
    case done
    /// The stream has no credit.
    case streamBlocked
    /// The connection has no credit.
    case connectionBlocked
  }

  /// There is room in the output buffer: writes queued message frames.
  public mutating func resume(into output: inout OutputBuffer) {
    guard !isClosed else { return }
    pump(&output)
  }

  /// A stream whose queued messages have all been written since `sendMessage` returned `.queued`.
  /// Call until nil after `.writable`, `.setup` and `resume`.
  public mutating func popWritable() -> StreamID? {
    while let id = writable.popLast() {
      if streams.find(id) != nil { return StreamID(id) }
    }
    return nil
  }

  /// Writes frames of the ready streams in turn, while there is credit and room.
  mutating func pump(_ output: inout OutputBuffer) {
    while readyHead >= 0, output.count < configuration.outputHighWater {
      let place = Int(readyHead)
      switch writeNext(place, &output) {
      case .connectionBlocked: return
      case .streamBlocked: unmarkReady(place)
      case .done: finishQueue(place, &output)
      case .progress:
        unmarkReady(place)
        markReady(place)
      }
    }
  }

  private mutating func finishQueue(_ place: Int, _ output: inout OutputBuffer) {
    unmarkReady(place)
    streams.places[place].outbound = nil
    if streams.places[place].flags.contains(.awaitsWritable) {
      streams.places[place].flags.remove(.awaitsWritable)
      if !streams.places[place].flags.contains(.finishing) {
        writable.append(streams.places[place].id)
      }
    }
    if role == .server { removeIfOver(place, &output) }
  }

  /// Writes one frame of a stream.
  private mutating func writeNext(_ place: Int, _ output: inout OutputBuffer) -> Step {
    let stream = streams.places[place].streamID
    switch streams.places[place].outbound?.first {
    case nil: return .done
    case .halfClose:
      output.appendFrame(.message, stream, flags: .halfClose)
      localEnded(place)
      return removeItem(place)
    case .end(let status):
      writeEnd(stream, status: status, flags: [], &output)
      localEnded(place)
      return removeItem(place)
    case .message(let bytes, let offset, let isCompressed):
      return writeFragment(place, bytes, offset, isCompressed, &output)
    }
  }

  private mutating func removeItem(_ place: Int, count: Int = 1) -> Step {
    for _ in 0..<count { streams.places[place].outbound?.removeFirst() }
    return streams.places[place].outbound?.isEmpty ?? true ? .done : .progress
  }

  private mutating func writeFragment(
    _ place: Int, _ bytes: [UInt8], _ offset: Int, _ isCompressed: Bool,
    _ output: inout OutputBuffer
  ) -> Step {
    let stream = streams.places[place].streamID
    let rest = bytes.count - offset
    let credit = min(sendWindow, streams.places[place].sendWindow)
    if rest > 0, credit == 0 { return sendWindow == 0 ? .connectionBlocked : .streamBlocked }
    let follower = streams.places[place].outbound?.second
    var flags: FrameFlags = isCompressed && offset == 0 ? [.hasMessage, .compressed] : .hasMessage
    if offset == 0, rest <= credit, case .end(let status) = follower,
      endSize(status) + rest <= peer.maximumFramePayload
    {
      writeEnd(stream, status: status, message: bytes, flags: flags, &output)
      spend(place, rest)
      localEnded(place)
      return removeItem(place, count: 2)
    }
    let size = min(rest, credit, configuration.fragmentSize, peer.maximumFramePayload)
    let isLast = size == rest
    if !isLast { flags.insert(.more) }
    var taken = 1
    if isLast, case .halfClose = follower {
      flags.insert(.halfClose)
      taken = 2
    }
    bytes.withUnsafeBytes {
      output.appendFrame(
        .message, stream, flags: flags,
        payload: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
    }
    spend(place, size)
    guard isLast else {
      streams.places[place].outbound?.advance(to: offset + size)
      return .progress
    }
    if taken == 2 { localEnded(place) }
    return removeItem(place, count: taken)
  }

  /// Takes sent bytes off both windows.
  mutating func spend(_ place: Int, _ size: Int) {
    sendWindow -= size
    streams.places[place].sendWindow -= size
    budgets.sentMessageFrame()
  }
}
