import ProtobufWire

extension Connection {
  mutating func receiveSetup(_ payload: RawSpan, _ output: inout OutputBuffer) -> Received {
    guard !peer.isReceived else {
      return violation(.setup, .protocolError, "a second SETUP", &output)
    }
    guard payload.byteCount <= ProtocolDefaults.setupPayload else {
      return violation(.setup, .tooLarge, "SETUP is above 4096 bytes", &output)
    }
    let settings: PeerSettings
    do {
      settings = try PeerSettings(try Setup(decoding: payload), ours: configuration)
    } catch let fault as SetupFault {
      return violation(.setup, .protocolError, fault.text, &output)
    } catch {
      return violation(.malformed, .protocolError, "SETUP: \(error)", &output)
    }
    apply(settings)
    pump(&output)
    return .setup
  }

  /// Makes settings effective; the windows of streams that are open grow by what theirs would have.
  private mutating func apply(_ settings: PeerSettings) {
    // Settings are at least the defaults, and at most 2³¹ − 1.
    let more = settings.streamWindow - peer.streamWindow
    sendWindow += settings.connectionWindow - peer.connectionWindow
    if more > 0 {
      for place in streams.places.indices where streams.places[place].id != 0 {
        streams.places[place].sendWindow += more
        markReady(place)
      }
    }
    peer = settings
    keepAlive.clamp(toPeerInterval: settings.minimumPingInterval)
  }

  mutating func receivePing(
    _ payload: RawSpan, _ now: MonotonicInstant, _ output: inout OutputBuffer
  ) -> Received {
    guard payload.byteCount == 8 else {
      return violation(
        .malformed, .protocolError, "PING of \(payload.byteCount) bytes, not 8", &output)
    }
    guard budgets.spendPing(now), budgets.spendControl(now) else {
      return violation(.pingBudget, .budgetExceeded, "too many PINGs", &output)
    }
    guard hasRoomForReply(output) else { return notReading(&output) }
    output.appendPing(.pong, payload.bigEndianUInt64)
    return .nothing
  }

  mutating func receivePong(_ payload: RawSpan, _ output: inout OutputBuffer) -> Received {
    guard payload.byteCount == 8 else {
      return violation(
        .malformed, .protocolError, "PONG of \(payload.byteCount) bytes, not 8", &output)
    }
    let value = payload.bigEndianUInt64
    guard let purpose = keepAlive.end(value) else {
      return violation(.pong, .protocolError, "a PONG that answers no PING", &output)
    }
    switch purpose {
    case .application:
      continueDrain(&output)
      return .pong(value)
    case .liveness: continueDrain(&output)
    case .drain: finishDrain(&output)
    }
    return .pong(nil)
  }

  mutating func receiveClose(_ payload: RawSpan, _ output: inout OutputBuffer) -> Received {
    var close = PeerClose(code: .normal, text: "")
    var reader = WireReader(payload)
    do {
      while true {
        let tag = try reader.readTag()
        if tag == 0 { break }
        switch tag {
        case CloseField.code:
          close.code = CloseCode(rawValue: UInt32(clamping: try reader.readVarint()))
        case CloseField.text:
          close.text = MetadataCoding.text(payload.extracting(try reader.readRange()))
        default: try reader.skipField(tag)
        }
      }
    } catch {
      return violation(.malformed, .protocolError, "CLOSE: \(error)", &output)
    }
    isClosed = true
    return .closed(close)
  }
}

/// Tags of `rpc.v1.Close`.
enum CloseField {
  static let code = WireFormat.tag(1, .varint)
  static let text = WireFormat.tag(2, .lengthDelimited)
}

extension RawSpan {
  /// The first eight bytes as a big-endian number; the caller has checked that they are there.
  var bigEndianUInt64: UInt64 {
    // Checks its bounds; "unsafe" is about the type, and every bit pattern is a valid integer.
    UInt64(bigEndian: unsafeLoadUnaligned(as: UInt64.self))
  }

  /// The first four bytes as a big-endian number; the caller has checked that they are there.
  var bigEndianUInt32: UInt32 {
    // Checks its bounds; "unsafe" is about the type, and every bit pattern is a valid integer.
    UInt32(bigEndian: unsafeLoadUnaligned(as: UInt32.self))
  }
}
