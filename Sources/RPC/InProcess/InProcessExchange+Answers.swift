import RPCCore
import Synchronization

extension InProcessExchange: CallResponder {
  func respond(
    to context: ServerContext, upTo maximum: Int, encode: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    context.isAnswered = true
    let response = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
      count = encode(UnsafeMutableRawBufferPointer(buffer))
    }
    guard response.count <= configuration.messageLimit else {
      end(.failure(tooLarge("response", response.count)))
      return
    }
    end(.response(response))
  }

  var maximumResponseSize: Int { configuration.messageLimit }

  func fail(_ context: ServerContext, _ error: RPCError) {
    context.isAnswered = true
    if let cause = error.hiddenCause {
      configuration.onHiddenError(context.method, cause)
    }
    var status = error.status
    status.trailers.append(contentsOf: context.trailingMetadata)
    // As it would come over a connection, its text cut and what is too much left out.
    let told = (try? Status(decoding: status.encoded().span.bytes)) ?? status
    end(.failure(RPCError(told, wasStarted: true)))
  }

  func cutConnection(of context: ServerContext) {
    context.isAnswered = true
    let error = RPCError(.unavailable, "the connection was cut", phase: .sent)
    end(.failure(error))?.cancel(.connectionLost)
  }

  func handlerEnded(_ context: ServerContext) {}

  // Handlers run on Swift's shared executor anyhow, whatever they do.
  func offload(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ start: RegisteredMethod.Start
  ) {
    start(request, context)
  }

  func finish(_ context: ServerContext) {
    context.isAnswered = true
    if stream != nil {
      end(.finished)
    } else if let held = state.withLock({ $0.held }) {
      end(.response(held))
    } else {
      let text = "\(call.method.path) was answered with OK and no response"
      end(.failure(RPCError(.unimplemented, text, phase: .answered)))
    }
  }

  func sendInitialMetadata(_ context: ServerContext) {
    let isFirst = state.withLock { state in
      defer { state.hasSentMetadata = true }
      return !state.hasSentMetadata
    }
    guard isFirst else { return }
    let metadata = context.initialMetadata
    call.initialMetadata = metadata
    stream?.received(initialMetadata: metadata)
  }
}

// Every thread is the call's own: bytes are handed over under a lock.
extension InProcessExchange: StreamCarrier {
  var isHere: Bool { true }

  func post(_ work: @escaping @Sendable () -> Void) { work() }

  // MARK: Responses

  func write(
    _ context: ServerContext, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    guard size <= configuration.messageLimit else { return tooLarge("response", size) }
    sendInitialMetadata(context)
    let message = encoded(size, encode)
    guard let stream else { return hold(message) }
    let isOver = state.withLock { state in
      guard !state.hasEnded else { return true }
      // Writers are held above the window: the sum stays far below overflow.
      state.responseBytes += size
      if state.responseBytes > Self.window { context.outbound?.hold() }
      return false
    }
    if isOver { return RPCError(.cancelled, "the call is over") }
    stream.received(EncodedMessage(message))
    return nil
  }

  /// Keeps the response for a caller that takes one.
  private func hold(_ message: [UInt8]) -> RPCError? {
    let isSecond = state.withLock { state in
      defer { state.held = message }
      return state.held != nil
    }
    guard isSecond else { return nil }
    let text = "\(call.method.path) was answered with more than one response"
    end(.failure(RPCError(.unimplemented, text, phase: .answered)))?.cancel(.byCaller)
    return RPCError(.cancelled, "the caller takes one response")
  }

  func returnCredit(_ call: OutgoingStream, _ bytes: Int) {
    state.withLock { state in
      state.responseBytes -= bytes
      if state.responseBytes <= Self.window { state.context?.outbound?.release() }
    }
  }

  // MARK: Requests

  func write(
    _ call: OutgoingStream, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    guard size <= configuration.messageLimit else { return tooLarge("request", size) }
    let message = encoded(size, encode)
    let inbound = state.withLock { state -> InboundMessages? in
      guard !state.hasEnded else { return nil }
      state.requestBytes += size
      if state.requestBytes > Self.window { call.outbound?.hold() }
      return state.context?.inbound
    }
    // What comes when the call has ended is dropped: the caller is about to hear how it did, and
    // is told nothing else here.
    inbound?.deliver(EncodedMessage(message))
    return nil
  }

  func halfClose(_ call: OutgoingStream) {
    state.withLock { $0.context?.inbound }?.end()
  }

  func returnCredit(_ context: ServerContext, _ bytes: Int) {
    state.withLock { state in
      state.requestBytes -= bytes
      if state.requestBytes <= Self.window { stream?.outbound?.release() }
    }
  }

  private func encoded(
    _ size: Int, _ encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      encode(UnsafeMutableRawBufferPointer(buffer))
      count = size
    }
  }
}
