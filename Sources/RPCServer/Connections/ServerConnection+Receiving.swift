import RPC
import RPCCore
import RPCTransport

extension ServerConnection {
  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    let now = loop.now
    countPass()
    // Whose handler it is that runs from here on, until another method is called.
    loop.setLabel(lastMethod?.label ?? 0)
    defer { loop.setLabel(0) }
    var offset = 0
    while !isOver {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      guard rest.count >= FrameHeader.size else { break }
      guard started < Self.handlersPerPass else {
        channel.yieldReading()
        break
      }
      var payload = UnsafeRawBufferPointer(start: nil, count: 0)
      var isWhole = false
      let received = channel.withOutput { output -> Received in
        switch core.parse(rest.bytes, into: &output) {
        case .incomplete: return .nothing
        case .violation(let violation): return .violation(violation)
        case .frame(let header):
          isWhole = true
          payload = UnsafeRawBufferPointer(
            rebasing: rest[FrameHeader.size..<FrameHeader.size + Int(header.payloadLength)])
          return core.receive(header, payload: payload.bytes, now: now, into: &output)
        }
      }
      handle(received, payload)
      guard isWhole else { break }
      offset += FrameHeader.size + payload.count
    }
    counters.receivedBytes.add(offset)
    waitingInput = bytes.count - offset
    return isOver ? bytes.count : offset
  }

  private func handle(_ received: Received, _ payload: UnsafeRawBufferPointer) {
    switch received {
    case .call(let call): begin(call, payload)
    case .message(let message): take(message, payload)
    case .halfClosed(let stream): requestEnded(stream.rawValue)
    case .cancelled(let stream): cancelled(stream.rawValue)
    case .failed(let stream, _): failed(stream.rawValue)
    case .refused(_, let refusal): refused(refusal)
    case .setup:
      putTimerOff()
      fallthrough
    case .writable:
      wakeWriters()
      closeIfDrained()
    case .pong: closeIfDrained()
    case .closed: finish()
    case .violation(let violation): end(violation)
    case .nothing, .dropped, .headers, .end, .drain: break
    }
  }

  private func cancelled(_ stream: UInt32) {
    counters.cancelledCalls.add(1)
    giveUp(stream, .byCaller)
  }

  private func failed(_ stream: UInt32) {
    counters.calls.countAnswer(.resourceExhausted, of: running[stream]?.registered.label ?? 0)
    giveUp(stream, .byCaller)
  }

  private func refused(_ refusal: CallRefusal) {
    counters.calls.countAnswer(refusal.code, of: 0)
    if refusal.isNotStarted { counters.notStartedCalls.add(1) }
  }

  /// Nobody waits for a call's answer any more.
  private func giveUp(_ stream: UInt32, _ reason: CallCancellation) {
    guard let context = running[stream] else { return }
    context.isAnswered = true
    abandon(context, reason)
  }
}

extension CallRefusal {
  /// What the caller was told.
  fileprivate var code: StatusCode {
    switch self {
    case .noSlot, .draining: .unavailable
    case .headerTooLarge, .tooManyEntries, .messageTooLarge: .resourceExhausted
    }
  }

  fileprivate var isNotStarted: Bool { self == .noSlot || self == .draining }
}
