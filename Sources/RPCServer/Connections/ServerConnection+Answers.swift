import RPC
import RPCCore
import RPCTransport

extension ServerConnection: CallResponder {
  func respond(
    to context: ServerContext, upTo maximum: Int, encode: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    assert(loop.isCurrent)
    guard !isOver, context.beginAnswer() else { return }
    let trailers = context.hasOutgoingMetadata ? writeInitialMetadata(context) : Metadata()
    if compresses(maximum, context, context.responseCompression) {
      return respondCompressed(context, trailers, upTo: maximum, encode)
    }
    let result = channel.withOutput {
      core.end(
        StreamID(context.stream), trailers: trailers, messageCapacity: maximum, into: &$0,
        encode: encode)
    }
    conclude(context, result)
  }

  private func respondCompressed(
    _ context: ServerContext, _ trailers: Metadata, upTo maximum: Int,
    _ encode: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let (message, isCompressed) = deflated(upTo: maximum, encode)
    let result = channel.withOutput {
      core.end(
        StreamID(context.stream), trailers: trailers, messageCapacity: message.count,
        isCompressed: isCompressed, into: &$0
      ) { buffer in
        buffer.copyBytes(from: message)
        return message.count
      }
    }
    conclude(context, result)
  }

  var maximumResponseSize: Int { core.peer.maximumMessageSize }

  /// Whether a message of that size is worth compressing, and may be.
  func compresses(
    _ size: Int, _ context: ServerContext, _ compression: MessageCompression
  ) -> Bool {
    let threshold = parts.configuration.compressionThreshold
    return compression.applies(to: size, threshold: threshold)
      && core.peer.acceptsZlib && !context.method.carriesCredentials
  }

  /// Encodes a message, and compresses it when that makes it smaller.
  func deflated(
    upTo maximum: Int, _ encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> (message: [UInt8], isCompressed: Bool) {
    let plain = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
      count = encode(UnsafeMutableRawBufferPointer(buffer))
    }
    let deflated = plain.withUnsafeBytes { Deflater().deflate($0) }
    return (deflated ?? plain, deflated != nil)
  }

  /// Counts an answer that was sent, and mends one that couldn't be.
  private func conclude(_ context: ServerContext, _ result: SendResult) {
    switch result {
    case .sent:
      counters.calls.countAnswer(.ok, of: context.registered.label)
    case .queued:
      counters.calls.countAnswer(.ok, of: context.registered.label)
      // The caller has to take the answer, too, in the time that it gave the call.
      core.setDeadline(StreamID(context.stream), context.deadline)
    case .dropped:
      break
    case .misuse(let misuse):
      context.isAnswered = false
      fail(context, RPCError(misuse: misuse, context, limit: core.peer.maximumMessageSize))
    }
  }

  /// Sends the handler's initial metadata, and returns what goes with the end.
  func writeInitialMetadata(_ context: ServerContext) -> Metadata {
    let initial = context.initialMetadata
    if !initial.isEmpty {
      _ = channel.withOutput { core.sendHeaders(StreamID(context.stream), initial, into: &$0) }
    }
    return context.finalMetadata
  }

  func fail(_ context: ServerContext, _ error: RPCError) {
    guard context.beginAnswer() else { return }
    if let cause = error.hiddenCause {
      counters.hiddenErrors.add(1)
      parts.configuration.onHiddenError(context.method, cause)
    }
    guard !isOver else { return }
    var status = error.status
    if context.hasOutgoingMetadata {
      status.trailers.append(contentsOf: writeInitialMetadata(context))
    }
    counters.calls.countAnswer(status.code, of: context.registered.label)
    _ = channel.withOutput { core.end(StreamID(context.stream), status, into: &$0) }
  }

  func handlerEnded(_ context: ServerContext) {
    assert(loop.isCurrent)
    context.handlerHasEnded = true
    if running.remove(context.stream) != nil { counters.runningHandlers.add(-1) }
    release(context.stream)
  }
}

extension RPCError {
  /// What a caller is told when its answer couldn't be sent.
  init(misuse: Misuse, _ context: ServerContext, limit: Int) {
    switch misuse {
    case .messageTooLarge:
      self.init(
        .resourceExhausted,
        "the response of \(context.method.path) is larger than the \(limit) bytes that the client "
          + "takes")
    default:
      self.init(.internal, RPCError.internalErrorText, cause: misuse)
    }
  }
}
