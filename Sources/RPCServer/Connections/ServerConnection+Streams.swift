import RPC
import RPCCore
import RPCTransport

// Calls with a stream of requests or responses.

extension ServerConnection {
  /// Starts a handler that takes its requests from a stream.
  func beginStream(
    _ call: InboundCall, _ payload: UnsafeRawBufferPointer, _ context: ServerContext
  ) {
    if refuseExpired(context) { return }
    let inbound = InboundMessages(creditStep: parts.creditStep)
    context.inbound = inbound
    if let message = call.message {
      inbound.deliver(encoded(message, payload, call.isCompressed))
    }
    if call.isHalfClosed { inbound.end() }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    if context.registered.serve(nothing, context) {
      context.inbound = nil
      finishAtOnce(context)
    } else {
      handlerStarted(context)
    }
  }

  /// A message's bytes in memory of their own.
  func encoded(
    _ content: MessageContent, _ payload: UnsafeRawBufferPointer, _ isCompressed: Bool
  ) -> EncodedMessage {
    let inflater = isCompressed ? parts.inflater : nil
    return switch content {
    case .borrowed(let range): EncodedMessage(Array(payload[range]), inflater: inflater)
    case .assembled(let bytes): EncodedMessage(bytes, inflater: inflater, isAssembled: true)
    }
  }

  /// Tells the calls whose messages have been written that they may go on.
  func wakeWriters() {
    while let stream = core.popWritable() { running[stream.rawValue]?.outbound?.release() }
  }

  var isHere: Bool { loop.isCurrent }

  func post(_ work: @escaping @Sendable () -> Void) { loop.post(work) }

  func write(
    _ context: ServerContext, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    assert(loop.isCurrent)
    guard !isOver, !context.isAnswered else { return RPCError(.cancelled, "the call is over") }
    sendInitialMetadata(context)
    let stream = StreamID(context.stream)
    guard compresses(size, context, compression) else {
      let result = channel.withOutput {
        core.sendMessage(stream, messageCapacity: size, into: &$0) { buffer in
          encode(buffer)
          return size
        }
      }
      return concludeWrite(context, result)
    }
    let (message, isCompressed) = deflated(upTo: size) { buffer in
      encode(buffer)
      return size
    }
    let result = channel.withOutput {
      core.sendMessage(
        stream, messageCapacity: message.count, isCompressed: isCompressed, into: &$0
      ) { buffer in
        buffer.copyBytes(from: message)
        return message.count
      }
    }
    return concludeWrite(context, result)
  }

  private func concludeWrite(_ context: ServerContext, _ result: SendResult) -> RPCError? {
    switch result {
    case .sent: return nil
    case .queued:
      context.outbound?.hold()
      // Queueing may have written what was queued for other calls.
      wakeWriters()
      return nil
    case .dropped: return RPCError(.cancelled, "the call is over")
    case .misuse(let misuse):
      return RPCError(misuse: misuse, context, limit: core.peer.maximumMessageSize)
    }
  }

  func sendInitialMetadata(_ context: ServerContext) {
    guard !context.hasSentMetadata, !isOver, !context.isAnswered else { return }
    context.hasSentMetadata = true
    guard context.hasOutgoingMetadata else { return }
    _ = writeInitialMetadata(context)
  }

  func returnCredit(_ context: ServerContext, _ bytes: Int) {
    assert(loop.isCurrent)
    guard !isOver, !context.handlerHasEnded else { return }
    channel.withOutput { core.consumed(StreamID(context.stream), bytes, into: &$0) }
  }

  func finish(_ context: ServerContext) {
    assert(loop.isCurrent)
    guard !isOver, context.beginAnswer() else { return }
    let trailers = context.hasOutgoingMetadata ? writeInitialMetadata(context) : Metadata()
    counters.calls.countAnswer(.ok, of: context.registered.label)
    _ = channel.withOutput {
      core.end(StreamID(context.stream), Status(code: .ok, trailers: trailers), into: &$0)
    }
  }
}
