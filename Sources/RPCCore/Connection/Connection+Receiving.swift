extension Connection {
  /// Looks for a frame at the front of received bytes. A violation has been answered with CLOSE.
  public mutating func parse(
    _ bytes: RawSpan, into output: inout OutputBuffer
  ) -> ParsedFrame {
    // The first frame is a SETUP, so nothing larger has to be waited for.
    let limit =
      peer.isReceived ? configuration.maximumFramePayload : ProtocolDefaults.setupPayload
    switch FrameHeader.parse(bytes, maximumPayload: limit) {
    case .incomplete: return .incomplete(needed: FrameHeader.size)
    case .header(let header):
      // The length is within a configured limit: the sum can't overflow.
      let needed = FrameHeader.size + Int(header.payloadLength)
      return bytes.byteCount < needed ? .incomplete(needed: needed) : .frame(header)
    case .tooLong(let length):
      return .violation(
        violate(
          .frameTooLong, .tooLarge, "a frame of \(length) bytes, allowed are \(limit)",
          into: &output))
    case .badStream(let id):
      return .violation(
        violate(.streamID, .protocolError, "stream \(id) is above 2147483647", into: &output))
    }
  }

  /// Takes one whole frame. Replies that the protocol itself asks for are written to `output`.
  /// - Parameters:
  ///   - payload: exactly the payload of the frame; borrowed during the call.
  public mutating func receive(
    _ header: FrameHeader, payload: RawSpan, now: MonotonicInstant,
    into output: inout OutputBuffer
  ) -> Received {
    guard !isClosed else { return .dropped }
    keepAlive.received(now)
    progress.frameEnded()
    if let fault = check(header, into: &output) { return .violation(fault) }
    switch header.type {
    case .call: return receiveCall(header, payload, now, &output)
    case .message: return receiveMessage(header, payload, now, &output)
    case .end: return receiveEnd(header, payload, now, &output)
    case .credit: return receiveCredit(header.stream, payload, now, &output)
    case .cancel: return receiveCancel(header.stream, payload, now, &output)
    case .headers: return receiveHeaders(header.stream, payload, now, &output)
    case .ping: return receivePing(payload, now, &output)
    case .pong: return receivePong(payload, &output)
    case .drain: return receiveDrain(payload, now, &output)
    case .close: return receiveClose(payload, &output)
    case .setup: return receiveSetup(payload, &output)
    default:
      guard budgets.spendExtension(now) else {
        return violation(
          .extensionBudget, .budgetExceeded, "too many frames of unknown extension types", &output)
      }
      return .nothing
    }
  }

  /// What can be said about a frame by its header alone.
  private mutating func check(
    _ header: FrameHeader, into output: inout OutputBuffer
  ) -> ProtocolViolation? {
    let type = header.type
    if !peer.isReceived, type != .setup {
      return violate(
        .setup, .protocolError, "\(type) before SETUP", into: &output)
    }
    if type.isExtension { return nil }
    guard type.isDefined, FrameRules.isExpected(type, receiver: role) else {
      return violate(
        .frameType, .protocolError, "\(type) from a \(role == .server ? "client" : "server")",
        into: &output)
    }
    guard header.flags.isSubset(of: FrameRules.allowedFlags(type, receiver: role)),
      !FrameRules.hasConflict(header.flags)
    else {
      let reason = FrameRules.conflict(header.flags) ?? "flags \(header.flags)"
      return violate(.flags, .protocolError, "\(type): \(reason)", into: &output)
    }
    let isOnConnection = header.stream == .connection
    let isStreamWellPlaced =
      type == .credit
      ? isOnConnection || header.stream.isClientInitiated
      : FrameRules.isAboutConnection(type) ? isOnConnection : header.stream.isClientInitiated
    guard isStreamWellPlaced else {
      return violate(
        .streamID, .protocolError, "\(type) on stream \(header.stream)", into: &output)
    }
    return nil
  }

  /// Ends the connection: writes CLOSE and forgets what was to be sent.
  @inline(never)
  mutating func violate(
    _ rule: ProtocolViolation.Rule, _ code: CloseCode, _ text: String,
    into output: inout OutputBuffer
  ) -> ProtocolViolation {
    close(code, text, into: &output)
    return ProtocolViolation(rule, code, text)
  }

  /// `violate`, as an answer of `receive`.
  @inline(never)
  mutating func violation(
    _ rule: ProtocolViolation.Rule, _ code: CloseCode, _ text: String,
    _ output: inout OutputBuffer
  ) -> Received {
    .violation(violate(rule, code, text, into: &output))
  }

  /// Whether a further reply may be written for a peer that asks for one.
  func hasRoomForReply(_ output: borrowing OutputBuffer) -> Bool {
    output.count <= configuration.outputLimit
  }

  mutating func notReading(_ output: inout OutputBuffer) -> Received {
    violation(
      .notReading, .budgetExceeded,
      "asks for replies while \(output.count) bytes of them aren't read", &output)
  }
}
