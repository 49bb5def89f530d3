import ProtobufWire

extension Connection {
  // MARK: Drain

  /// No new calls: a drain was begun here or (client) announced by the server, or the ids are used
  /// up.
  public var isDraining: Bool {
    drainState != .none || (role == .client && highestOpened >= StreamID.last.rawValue)
  }

  /// Draining, and no call is left.
  public var isDrained: Bool {
    guard streams.count == 0, isDraining else { return false }
    if case .announced = drainState { return role == .client }
    return true
  }

  /// Server: stops taking calls, in two steps that lose none: DRAIN without a limit and a PING now;
  /// DRAIN with the last accepted id after its PONG, or at `nextDeadline`. Client: refuses to open
  /// further calls. Close the connection when `isDrained`.
  public mutating func drain(now: MonotonicInstant, into output: inout OutputBuffer) {
    guard !isClosed, drainState == .none else { return }
    guard role == .server else {
      drainState = .final(last: StreamID.last.rawValue)
      return
    }
    appendDrain(StreamID.last.rawValue, &output)
    let ping = keepAlive.begin(.drain, now: now)
    if let ping { output.appendPing(.ping, ping) }
    drainState = .announced(
      until: now.advanced(by: configuration.drainNotice), isPingSent: ping != nil)
    drainClock = now
  }

  /// A PONG freed the place of the outstanding PING: the drain's own can be sent.
  mutating func continueDrain(_ output: inout OutputBuffer) {
    guard case .announced(let until, isPingSent: false) = drainState,
      let ping = keepAlive.begin(.drain, now: drainClock)
    else { return }
    output.appendPing(.ping, ping)
    drainState = .announced(until: until, isPingSent: true)
  }

  /// The second step: every call that was sent before the notice was read has arrived.
  mutating func finishDrain(_ output: inout OutputBuffer) {
    guard case .announced = drainState else { return }
    drainState = .final(last: highestOpened)
    appendDrain(highestOpened, &output)
  }

  private func appendDrain(_ last: UInt32, _ output: inout OutputBuffer) {
    let size = 1 + WireFormat.varintSize(last)
    let room = output.reserveFrame(
      .drain, .connection, flags: [], payloadLength: last == 0 ? 0 : size)
    guard last != 0 else {
      output.commit(FrameHeader.size)
      return
    }
    var writer = WireWriter(room)
    writer.writeTag(DrainField.last)
    writer.writeVarint(UInt64(last))
    output.commit(FrameHeader.size + size)
  }

  /// Client: the server takes no calls above an id.
  mutating func receiveDrain(
    _ payload: RawSpan, _ now: MonotonicInstant, _ output: inout OutputBuffer
  ) -> Received {
    guard budgets.spendControl(now) else {
      return violation(.controlBudget, .budgetExceeded, "too many DRAINs", &output)
    }
    let last: UInt64
    do {
      last = try DrainField.decode(payload)
    } catch {
      return violation(.malformed, .protocolError, "DRAIN: \(error)", &output)
    }
    let previous = drainLimit ?? StreamID.last.rawValue
    guard last <= UInt64(previous) else {
      return violation(
        .drain, .protocolError, "DRAIN raises the last id from \(previous) to \(last)", &output)
    }
    // Within 2³¹ − 1, as just checked.
    let limit = UInt32(truncatingIfNeeded: last)
    drainLimit = limit
    drainState = .final(last: limit)
    return .drain(
      DrainNotice(lastAccepted: limit == StreamID.last.rawValue ? nil : StreamID(limit)))
  }

  // MARK: Close

  /// Writes CLOSE. Flush and close; what arrives afterwards is ignored.
  public mutating func close(
    _ code: CloseCode, _ text: String = "", into output: inout OutputBuffer
  ) {
    guard !isClosed else { return }
    let text = Status.cut(text, to: 1024)
    // Two tags, a code of at most 5 bytes, a length of at most 2.
    let payload = [UInt8](unsafeUninitializedCapacity: text.utf8.count + 16) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      if code != .normal {
        writer.writeTag(CloseField.code)
        writer.writeVarint(UInt64(code.rawValue))
      }
      if !text.isEmpty {
        writer.writeTag(CloseField.text)
        writer.writeString(text)
      }
      count = writer.count
    }
    output.appendFrame(.close, .connection, payload: payload)
    isClosed = true
  }

  /// The transport is gone. Then `popLiveStream` until nil.
  public mutating func transportEnded() {
    isClosed = true
  }

  /// After the connection is closed: takes out a call that was still live. A server still calls
  /// nothing for it afterwards but cancels its handler.
  public mutating func popLiveStream() -> LostCall? {
    guard isClosed,
      let place = streams.places.indices.last(where: { streams.places[$0].id != 0 })
    else { return nil }
    let stream = streams.places[place].streamID
    unmarkReady(place)
    streams.remove(place)
    let isNotStarted = drainLimit.map { stream.rawValue > $0 } ?? false
    return LostCall(stream: stream, isNotStarted: isNotStarted)
  }
}

/// Tags of `rpc.v1.Drain`.
enum DrainField {
  static let last = WireFormat.tag(1, .varint)

  /// The last accepted stream id of a DRAIN; absent is 0.
  static func decode(_ payload: RawSpan) throws(WireError) -> UInt64 {
    var reader = WireReader(payload)
    var last: UInt64 = 0
    while true {
      let tag = try reader.readTag()
      if tag == 0 { return last }
      if tag == DrainField.last {
        last = try reader.readVarint()
      } else {
        try reader.skipField(tag)
      }
    }
  }
}
