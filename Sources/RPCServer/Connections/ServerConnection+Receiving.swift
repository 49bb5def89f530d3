import RPC
import RPCCore
import RPCTransport

extension ServerConnection {
  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    while !isOver {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      switch channel.withOutput({ core.parse(rest.bytes, into: &$0) }) {
      case .incomplete:
        counters.receivedBytes.add(offset)
        return offset
      case .violation(let violation):
        end(violation)
      case .frame(let header):
        let size = FrameHeader.size + Int(header.payloadLength)
        receive(header, UnsafeRawBufferPointer(rebasing: rest[FrameHeader.size..<size]))
        offset += size
      }
    }
    return bytes.count
  }

  private func receive(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    let received = channel.withOutput {
      core.receive(header, payload: payload.bytes, now: loop.now, into: &$0)
    }
    switch received {
    case .call(let call): begin(call, payload)
    case .message(let message): take(message, payload)
    case .halfClosed(let stream): requestEnded(stream.rawValue)
    case .cancelled(let stream): cancelled(stream.rawValue)
    case .failed(let stream, _): failed(stream.rawValue)
    case .refused(_, let refusal): refused(refusal)
    case .writable, .setup:
      while core.popWritable() != nil {}
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
    counters.countCall(.resourceExhausted)
    giveUp(stream, .byCaller)
  }

  private func refused(_ refusal: CallRefusal) {
    counters.countCall(refusal.code)
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
