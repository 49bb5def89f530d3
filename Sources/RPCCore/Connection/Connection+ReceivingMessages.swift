import ProtobufWire

extension Connection {
  /// Checks that hold for every frame with message bytes, whatever its stream: form, compression,
  /// and the connection's credit, which goes back at once so that an unread stream stops no other.
  mutating func checkFragment(
    _ header: FrameHeader, _ size: Int, _ output: inout OutputBuffer
  ) -> Received? {
    guard size > 0 || !header.flags.contains(.more) else {
      return violation(
        .malformed, .protocolError, "\(header.type): an empty fragment with MORE", &output)
    }
    guard !header.flags.contains(.compressed) || acceptsCompressed else {
      return violation(
        .compression, .protocolError, "\(header.type): compression wasn't agreed on", &output)
    }
    guard receive.take(size) else {
      return violation(
        .credit, .flowControl,
        "\(size) message bytes, the connection has credit for \(receive.available)", &output)
    }
    let increment = receive.giveBack(size)
    if increment > 0 { output.appendCredit(.connection, increment) }
    return nil
  }

  private var acceptsCompressed: Bool {
    configuration.acceptedCompression.contains(.zlib)
  }

  mutating func receiveMessage(
    _ header: FrameHeader, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    let flags = header.flags
    let size = payload.byteCount
    guard flags.contains(.hasMessage) else {
      return receiveHalfClose(header, size, now, &output)
    }
    if let fault = checkFragment(header, size, &output) { return fault }
    if size == 0, !budgets.spendEmptyMessage(now) {
      return violation(
        .emptyMessageBudget, .budgetExceeded, "too many empty messages", &output)
    }
    guard let place = streams.find(header.stream.rawValue) else {
      return lateFrame(header, now, &output)
    }
    let state = streams.places[place].flags
    if !state.isDisjoint(with: [.remoteClosed, .cancelled]) {
      let last = state.contains(.cancelled) ? "CANCEL" : "the half-close"
      return violation(
        .streamState, .protocolError, "MESSAGE on stream \(header.stream) after \(last)", &output)
    }
    guard streams.places[place].receive.take(size) else {
      return violation(
        .credit, .flowControl,
        "\(size) message bytes, stream \(header.stream) has credit for"
          + " \(streams.places[place].receive.available)", &output)
    }
    // The call is over here and its END on the way: the peer can't know. What it sends is bounded
    // by the stream's credit, which isn't given back any more.
    if role == .server, state.contains(.finishing) { return closeDropped(place, flags) }
    if flags.contains(.compressed), state.contains(.remotePartial) {
      return violation(
        .flags, .protocolError, "MESSAGE: COMPRESSED inside a message", &output)
    }
    return take(place, header, payload, now, &output)
  }

  /// A fragment for a live call within its credit.
  private mutating func take(
    _ place: Int, _ header: FrameHeader, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    let flags = header.flags
    let size = payload.byteCount
    let isPartial = streams.places[place].flags.contains(.remotePartial)
    let held = streams.places[place].assembly?.count ?? 0
    guard size <= configuration.maximumMessageSize - held else {
      return fail(place, .messageTooLarge, isHalfClosed: flags.contains(.halfClose), now, &output)
    }
    streams.places[place].flags.insert(.messagesReceived)
    if flags.contains(.more) {
      if !isPartial {
        streams.places[place].flags.insert(.remotePartial)
        if flags.contains(.compressed) { streams.places[place].flags.insert(.partialCompressed) }
      }
      keepFragment(place, payload, 0..<size)
      returnEarly(place, size, &output)
      return .nothing
    }
    let isLast = flags.contains(.halfClose)
    if isLast { streams.places[place].flags.insert(.remoteClosed) }
    guard isPartial else {
      return .message(
        InboundMessage(
          stream: header.stream, content: .borrowed(0..<size),
          isCompressed: flags.contains(.compressed), isLast: isLast))
    }
    return .message(completeMessage(place, payload, isLast: isLast))
  }

  /// Adds the last fragment and hands the message out.
  private mutating func completeMessage(
    _ place: Int, _ payload: RawSpan, isLast: Bool
  ) -> InboundMessage {
    keepFragment(place, payload, 0..<payload.byteCount)
    let bytes = streams.places[place].assembly ?? []
    let isCompressed = streams.places[place].flags.contains(.partialCompressed)
    streams.places[place].assembly = nil
    streams.places[place].flags.subtract([.remotePartial, .partialCompressed])
    forgetWithheld(place)
    streams.places[place].earlyWhole += streams.places[place].early
    streams.places[place].early = 0
    return InboundMessage(
      stream: streams.places[place].streamID, content: .assembled(bytes),
      isCompressed: isCompressed, isLast: isLast)
  }

  /// Copies a fragment behind the others of its message. The array grows with what has arrived.
  mutating func keepFragment(_ place: Int, _ payload: RawSpan, _ range: Range<Int>) {
    payload.extracting(range).withUnsafeBytes { bytes in
      if streams.places[place].assembly == nil { streams.places[place].assembly = [] }
      streams.places[place].assembly?.append(contentsOf: bytes)
    }
  }

  /// MESSAGE without HAS_MESSAGE: only a bare half-close, and only between messages.
  private mutating func receiveHalfClose(
    _ header: FrameHeader, _ size: Int, _ now: MonotonicInstant, _ output: inout OutputBuffer
  ) -> Received {
    guard header.flags.contains(.halfClose), size == 0 else {
      return violation(
        .flags, .protocolError, "MESSAGE without HAS_MESSAGE must be an empty half-close", &output)
    }
    guard let place = streams.find(header.stream.rawValue) else {
      return lateFrame(header, now, &output)
    }
    let state = streams.places[place].flags
    if !state.isDisjoint(with: [.remoteClosed, .cancelled, .remotePartial]) {
      return violation(
        .streamState, .protocolError,
        "a half-close on stream \(header.stream) inside a message, or after the last", &output)
    }
    if state.contains(.finishing) { return closeDropped(place, header.flags) }
    streams.places[place].flags.insert(.remoteClosed)
    return .halfClosed(header.stream)
  }

  /// A frame that arrived while the END is on its way. Where the client is stays known: only
  /// between messages may it half-close alone.
  private mutating func closeDropped(_ place: Int, _ flags: FrameFlags) -> Received {
    if flags.contains(.more) {
      streams.places[place].flags.insert(.remotePartial)
    } else {
      streams.places[place].flags.remove(.remotePartial)
    }
    if flags.contains(.halfClose) { streams.places[place].flags.insert(.remoteClosed) }
    return .dropped
  }

  /// A frame for a stream that isn't live: late when it once was, else a violation.
  mutating func lateFrame(
    _ header: FrameHeader, _ now: MonotonicInstant, _ output: inout OutputBuffer
  ) -> Received {
    guard header.stream.rawValue <= highestOpened else {
      return violation(
        .streamID, .protocolError, "\(header.type) on stream \(header.stream), which isn't open",
        &output)
    }
    guard late.take() || budgets.spendLateFrame(now) else {
      return violation(
        .lateFrameBudget, .budgetExceeded, "too many frames on streams that are over", &output)
    }
    return .dropped
  }

  /// Ends one call because the peer broke a rule of its stream.
  private mutating func fail(
    _ place: Int, _ failure: StreamFailure, isHalfClosed: Bool, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    let stream = streams.places[place].streamID
    guard budgets.spendStreamError(now) else { return streamErrorsExceeded(&output) }
    guard hasRoomForReply(output) else { return notReading(&output) }
    if isHalfClosed { streams.places[place].flags.insert(.remoteClosed) }
    if role == .server {
      abandonMessages(place, &output)
      writeEnd(stream, status: failure.status.encoded(), flags: [], &output)
      localEnded(place)
    } else {
      cancelLive(place, &output)
    }
    return .failed(stream, failure)
  }
}
