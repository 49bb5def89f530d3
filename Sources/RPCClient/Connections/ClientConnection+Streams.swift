import RPC
import RPCCore
import RPCTransport

// Calls with a stream of requests or responses.

extension ClientConnection: StreamCarrier {
  /// Opens a call whose requests follow.
  func openStream(_ call: OutgoingCall, _ now: MonotonicInstant) -> Opening {
    let result = channel.withOutput {
      core.openCall(
        call.method.wirePath,
        timeoutMicroseconds: DeadlinePolicy.timeoutMicroseconds(until: call.deadline, now: now),
        metadata: call.options.metadata, deadline: call.deadline, into: &$0)
    }
    return conclude(call, result)
  }

  /// A response of a call that takes many.
  func take(_ message: InboundMessage, _ payload: UnsafeRawBufferPointer, _ call: OutgoingStream) {
    let inflater = message.isCompressed ? inflater : nil
    switch message.content {
    case .borrowed(let range):
      call.received(EncodedMessage(Array(payload[range]), inflater: inflater))
    case .assembled(let bytes):
      call.received(EncodedMessage(bytes, inflater: inflater, isAssembled: true))
    }
  }

  /// Tells the calls whose messages have been written that they may go on.
  func wakeWriters() {
    while let stream = core.popWritable() {
      (calls[stream.rawValue] as? OutgoingStream)?.outbound?.release()
    }
  }

  var isHere: Bool { loop.isCurrent }

  func post(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

  func write(
    _ call: OutgoingStream, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    assert(loop.isCurrent)
    guard !isOver, calls[call.stream] === call else { return OutgoingCall.givenUp }
    call.canBeSentAgain = false
    let stream = StreamID(call.stream)
    guard compresses(size, call, compression) else {
      let result = channel.withOutput {
        core.sendMessage(stream, messageCapacity: size, into: &$0) { buffer in
          encode(buffer)
          return size
        }
      }
      return concludeWrite(call, result)
    }
    let (message, isCompressed) = deflated(size, encode)
    let result = channel.withOutput {
      core.sendMessage(
        stream, messageCapacity: message.count, isCompressed: isCompressed, into: &$0
      ) { buffer in
        buffer.copyBytes(from: message)
        return message.count
      }
    }
    return concludeWrite(call, result)
  }

  private func concludeWrite(_ call: OutgoingStream, _ result: SendResult) -> RPCError? {
    switch result {
    case .sent: return nil
    case .queued:
      call.outbound?.hold()
      // Queueing may have written what was queued for other calls.
      wakeWriters()
      return nil
    case .dropped: return OutgoingCall.givenUp
    case .misuse(let misuse): return RPCError(misuse: misuse, call.method)
    }
  }

  func halfClose(_ call: OutgoingStream) {
    assert(loop.isCurrent)
    guard !isOver, calls[call.stream] === call else { return }
    _ = channel.withOutput { core.halfClose(StreamID(call.stream), into: &$0) }
  }

  func returnCredit(_ call: OutgoingStream, _ bytes: Int) {
    assert(loop.isCurrent)
    guard !isOver, calls[call.stream] === call else { return }
    channel.withOutput { core.consumed(StreamID(call.stream), bytes, into: &$0) }
  }
}
