import ProtobufWire

extension Connection {
  /// Server: a CALL.
  mutating func receiveCall(
    _ header: FrameHeader, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    let id = header.stream.rawValue
    guard id > highestOpened else {
      return violation(
        .streamID, .protocolError, "CALL on stream \(id) after stream \(highestOpened)", &output)
    }
    highestOpened = id
    let block: Range<Int>
    do {
      var reader = WireReader(payload)
      block = try reader.readRange()
    } catch {
      return violation(.malformed, .protocolError, "CALL header: \(error)", &output)
    }
    let message = block.upperBound..<payload.byteCount
    if let fault = checkFirstMessage(header, message.count, &output) { return fault }
    if let refusal = refusal(of: id, headerSize: block.count, messageSize: message.count) {
      return refuse(header, refusal, message.count, now, &output)
    }
    let parts: CallHeaderParts
    do {
      parts = try CallHeaderParts(payload, block)
    } catch {
      return violation(.malformed, .protocolError, "CALL header: \(error)", &output)
    }
    guard !parts.hasBadEntry, !parts.method.isEmpty else {
      let reason = parts.hasBadEntry ? "a metadata key or value isn't allowed" : "no method"
      return violation(.malformed, .protocolError, "CALL header: \(reason)", &output)
    }
    guard parts.metadataCount <= Metadata.maximumEntries else {
      return refuse(header, .tooManyEntries, message.count, now, &output)
    }
    return accept(header, payload, block, parts, message, &output)
  }

  /// Credit and form of the message that comes with a CALL.
  private mutating func checkFirstMessage(
    _ header: FrameHeader, _ size: Int, _ output: inout OutputBuffer
  ) -> Received? {
    guard header.flags.contains(.hasMessage) else {
      guard size > 0 else { return nil }
      return violation(
        .malformed, .protocolError, "CALL: \(size) bytes behind the header without HAS_MESSAGE",
        &output)
    }
    if let fault = checkFragment(header, size, &output) { return fault }
    guard size <= configuration.streamWindow else {
      return violation(
        .credit, .flowControl,
        "CALL: \(size) message bytes, credit for \(configuration.streamWindow)", &output)
    }
    return nil
  }

  /// Why a call can't be taken, found before its header is read.
  private func refusal(of id: UInt32, headerSize: Int, messageSize: Int) -> CallRefusal? {
    if case .final(let last) = drainState, id > last { return .draining }
    if streams.count >= configuration.maximumConcurrentCalls { return .noSlot }
    if headerSize > ProtocolDefaults.headerBlock { return .headerTooLarge }
    if messageSize > configuration.maximumMessageSize { return .messageTooLarge }
    return nil
  }

  private mutating func accept(
    _ header: FrameHeader, _ payload: RawSpan, _ block: Range<Int>, _ parts: CallHeaderParts,
    _ message: Range<Int>, _ output: inout OutputBuffer
  ) -> Received {
    idle.callCame()
    let place = streams.insert(
      header.stream.rawValue, sendWindow: peer.streamWindow,
      receiveWindow: configuration.streamWindow)
    _ = streams.places[place].receive.take(message.count)
    var call = InboundCall(
      stream: header.stream, method: parts.method, header: block,
      metadataCount: parts.metadataCount,
      timeoutMicroseconds: parts.timeoutMicroseconds == 0 ? nil : parts.timeoutMicroseconds,
      message: nil, isCompressed: header.flags.contains(.compressed),
      isHalfClosed: header.flags.contains(.halfClose))
    if call.isHalfClosed { streams.places[place].flags.insert(.remoteClosed) }
    guard header.flags.contains(.more) else {
      if header.flags.contains(.hasMessage) { call.message = .borrowed(message) }
      return .call(call)
    }
    streams.places[place].flags.insert(.remotePartial)
    if call.isCompressed { streams.places[place].flags.insert(.partialCompressed) }
    call.isCompressed = false
    keepFragment(place, payload, message)
    returnEarly(place, message.count, &output)
    return .call(call)
  }

  /// Answers a call that isn't taken; costs no slot and runs nothing.
  private mutating func refuse(
    _ header: FrameHeader, _ refusal: CallRefusal, _ messageSize: Int, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    let isRetryable = refusal == .noSlot || refusal == .draining
    if isRetryable {
      guard budgets.spendRefusedCall(now) else {
        return violation(
          .refusedCallBudget, .budgetExceeded, "too many calls beyond the slots", &output)
      }
    } else {
      guard budgets.spendStreamError(now) else { return streamErrorsExceeded(&output) }
    }
    guard hasRoomForReply(output) else { return notReading(&output) }
    if !header.flags.contains(.halfClose) {
      late.expect(max(0, configuration.streamWindow - messageSize))
    }
    late.expect(LateFrames.control)
    writeEnd(
      header.stream, status: refusal.encodedStatus, flags: isRetryable ? .notStarted : [],
      &output)
    return .refused(header.stream, refusal)
  }

  mutating func streamErrorsExceeded(_ output: inout OutputBuffer) -> Received {
    violation(
      .streamErrorBudget, .budgetExceeded, "too many calls broke a limit", &output)
  }
}

extension CallRefusal {
  /// The status of the END that refuses a call.
  var status: Status {
    switch self {
    case .noSlot:
      Status(code: .unavailable, message: "the server runs as many calls as it allows here")
    case .draining: Status(code: .unavailable, message: "the connection takes no more calls")
    case .headerTooLarge:
      Status(code: .resourceExhausted, message: "the call header is larger than 16384 bytes")
    case .tooManyEntries:
      Status(code: .resourceExhausted, message: "the metadata has more than 128 entries")
    case .messageTooLarge: StreamFailure.messageTooLarge.status
    }
  }

  // Made once: refusing has to be cheap.
  private static let noSlotBytes = CallRefusal.noSlot.status.encoded()
  private static let drainingBytes = CallRefusal.draining.status.encoded()

  var encodedStatus: [UInt8] {
    switch self {
    case .noSlot: CallRefusal.noSlotBytes
    case .draining: CallRefusal.drainingBytes
    default: status.encoded()
    }
  }
}

extension StreamFailure {
  /// The status that tells of the failure.
  public var status: Status {
    switch self {
    case .messageTooLarge:
      Status(code: .resourceExhausted, message: "the message is larger than the receiver allows")
    }
  }
}
