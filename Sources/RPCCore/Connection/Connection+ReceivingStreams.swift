import ProtobufWire

extension Connection {
  /// Client: the server's initial metadata.
  mutating func receiveHeaders(
    _ stream: StreamID, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    guard payload.byteCount <= ProtocolDefaults.headerBlock else {
      return violation(.malformed, .tooLarge, "HEADERS is above 16384 bytes", &output)
    }
    guard let place = streams.find(stream.rawValue) else {
      return lateFrame(header(.headers, stream), now, &output)
    }
    let state = streams.places[place].flags
    guard state.isDisjoint(with: [.headers, .messagesReceived, .remotePartial]) else {
      return violation(
        .streamState, .protocolError,
        "HEADERS on stream \(stream) after \(state.contains(.headers) ? "HEADERS" : "a message")",
        &output)
    }
    do {
      guard try MetadataCoding.isValid(payload, field: HeadersField.metadata) else {
        return violation(
          .malformed, .protocolError, "HEADERS: an entry isn't allowed, or more than 128", &output)
      }
    } catch {
      return violation(.malformed, .protocolError, "HEADERS: \(error)", &output)
    }
    streams.places[place].flags.insert(.headers)
    return .headers(stream, block: 0..<payload.byteCount)
  }

  /// Client: the end of a call.
  mutating func receiveEnd(
    _ header: FrameHeader, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    let parts: EndParts
    do {
      parts = try EndParts(payload)
    } catch {
      return violation(.malformed, .protocolError, "END: \(error)", &output)
    }
    if let fault = check(parts, header, &output) { return fault }
    guard let place = streams.find(header.stream.rawValue) else {
      return lateFrame(header, now, &output)
    }
    let hasMessage = header.flags.contains(.hasMessage)
    if let fault = check(parts, against: place, header, &output) { return fault }
    guard parts.message.count <= configuration.maximumMessageSize else {
      guard budgets.spendStreamError(now) else { return streamErrorsExceeded(&output) }
      remove(place, &output)
      return .failed(header.stream, .messageTooLarge)
    }
    remove(place, &output)
    return .end(
      InboundEnd(
        stream: header.stream, code: parts.code, status: parts.status,
        message: hasMessage ? .borrowed(parts.message) : nil,
        isCompressed: header.flags.contains(.compressed),
        isNotStarted: header.flags.contains(.notStarted)))
  }

  /// What an END says by itself.
  private mutating func check(
    _ parts: EndParts, _ header: FrameHeader, _ output: inout OutputBuffer
  ) -> Received? {
    let hasMessage = header.flags.contains(.hasMessage)
    guard parts.status.count <= Status.maximumEncodedBytes, parts.hasValidTrailers else {
      return violation(
        .malformed, .protocolError, "END: the status is above 32768 bytes or has bad trailers",
        &output)
    }
    guard hasMessage || parts.message.isEmpty else {
      return violation(
        .malformed, .protocolError,
        "END: \(parts.message.count) bytes behind the status without HAS_MESSAGE", &output)
    }
    guard parts.code == .ok || !hasMessage, parts.code != .ok || !header.flags.contains(.notStarted)
    else {
      return violation(
        .flags, .protocolError, "END \(parts.code) with flags \(header.flags)", &output)
    }
    return hasMessage ? checkFragment(header, parts.message.count, &output) : nil
  }

  /// What an END says about its stream.
  private mutating func check(
    _ parts: EndParts, against place: Int, _ header: FrameHeader, _ output: inout OutputBuffer
  ) -> Received? {
    let state = streams.places[place].flags
    if parts.code == .ok, state.contains(.remotePartial) {
      return violation(
        .streamState, .protocolError, "END OK inside a message on stream \(header.stream)", &output)
    }
    if header.flags.contains(.notStarted),
      !state.isDisjoint(with: [.headers, .messagesReceived, .remotePartial])
    {
      return violation(
        .streamState, .protocolError,
        "NOT_STARTED on stream \(header.stream), which has answered already", &output)
    }
    guard streams.places[place].receive.take(parts.message.count) else {
      return violation(
        .credit, .flowControl,
        "END: \(parts.message.count) message bytes, stream \(header.stream) has credit for"
          + " \(streams.places[place].receive.available)", &output)
    }
    return nil
  }

  /// Server: the client gives a call up.
  mutating func receiveCancel(
    _ stream: StreamID, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    guard payload.byteCount == 0 else {
      return violation(.malformed, .protocolError, "CANCEL with a payload", &output)
    }
    guard let place = streams.find(stream.rawValue) else {
      return lateFrame(header(.cancel, stream), now, &output)
    }
    let state = streams.places[place].flags
    guard !state.contains(.cancelled) else {
      return violation(
        .streamState, .protocolError, "CANCEL on stream \(stream) after CANCEL", &output)
    }
    streams.places[place].flags.insert(.cancelled)
    if state.contains(.localClosed) { return .dropped }
    guard budgets.spendCancel(due: streams.places[place].deadline, now) else {
      return violation(.cancelBudget, .budgetExceeded, "too many CANCELs", &output)
    }
    abandonMessages(place, &output)
    streams.places[place].flags.insert([.finishing, .localClosed])
    streams.places[place].deadline = .distantFuture
    guard state.contains(.handlerEnded) else { return .cancelled(stream) }
    remove(place, &output)
    return .dropped
  }

  mutating func receiveCredit(
    _ stream: StreamID, _ payload: RawSpan, _ now: MonotonicInstant,
    _ output: inout OutputBuffer
  ) -> Received {
    guard payload.byteCount == 4 else {
      return violation(
        .malformed, .protocolError, "CREDIT of \(payload.byteCount) bytes, not 4", &output)
    }
    guard budgets.spendCredit(now) else {
      return violation(.controlBudget, .budgetExceeded, "too many CREDITs", &output)
    }
    let increment = Int(payload.bigEndianUInt32)
    guard increment > 0 else {
      return violation(.credit, .flowControl, "CREDIT of 0 on stream \(stream)", &output)
    }
    if stream == .connection {
      guard increment <= ProtocolDefaults.largestWindow - sendWindow else {
        return overflow(stream, &output)
      }
      sendWindow += increment
    } else {
      guard let place = streams.find(stream.rawValue) else {
        return lateFrame(header(.credit, stream), now, &output)
      }
      guard !streams.places[place].flags.contains(.cancelled) else {
        return violation(
          .streamState, .protocolError, "CREDIT on stream \(stream) after CANCEL", &output)
      }
      guard increment <= ProtocolDefaults.largestWindow - streams.places[place].sendWindow else {
        return overflow(stream, &output)
      }
      // For a direction that is closed by now the credit is only too late.
      if streams.places[place].flags.contains(.localClosed) { return .dropped }
      streams.places[place].sendWindow += increment
      markReady(place)
    }
    pump(&output)
    return writable.isEmpty ? .nothing : .writable
  }

  private mutating func overflow(_ stream: StreamID, _ output: inout OutputBuffer) -> Received {
    violation(
      .credit, .flowControl, "CREDIT raises the window of stream \(stream) above 2147483647",
      &output)
  }

  private func header(_ type: FrameType, _ stream: StreamID) -> FrameHeader {
    FrameHeader(payloadLength: 0, stream: stream, type: type)
  }
}
