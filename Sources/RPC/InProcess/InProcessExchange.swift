import RPCCore
import Synchronization

/// One in-process call from its start to its end.
final class InProcessExchange: CallCanceller {
  /// What the caller gets.
  enum Outcome {
    /// The last message, and OK.
    case response([UInt8])
    /// OK, behind the messages that were sent.
    case finished
    /// An error.
    case failure(RPCError)
  }

  struct State {
    var hasEnded = false
    var context: ServerContext?
    var timer: Task<Void, Never>?
    var hasSentMetadata = false
    /// Bytes of requests that the handler hasn't taken.
    var requestBytes = 0
    /// Bytes of responses that the caller hasn't taken.
    var responseBytes = 0
    /// The response of a handler that may send many, to a caller that takes one.
    var held: [UInt8]?
  }

  /// So many bytes may wait to be taken in each direction, as over a connection.
  static let window = ProtocolDefaults.streamWindow

  let call: OutgoingCall
  let stream: OutgoingStream?
  let configuration: InProcessTransport.Configuration
  let state = Mutex(State())

  init(_ call: OutgoingCall, _ configuration: InProcessTransport.Configuration) {
    self.call = call
    stream = call as? OutgoingStream
    self.configuration = configuration
  }

  /// Tells the caller, once: what comes later is dropped.
  ///
  /// - Returns: The context when there is one and this was the call's end.
  @discardableResult
  func end(_ outcome: Outcome) -> ServerContext? {
    let (isFirst, context, timer) = state.withLock { state in
      defer { state.hasEnded = true }
      return (!state.hasEnded, state.context, state.timer)
    }
    guard isFirst else { return nil }
    timer?.cancel()
    if let context { sendInitialMetadata(context) }
    call.finish()
    let trailing = context?.trailingMetadata ?? Metadata()
    switch outcome {
    case .response(let response):
      response.withUnsafeBytes { call.succeeded($0, trailingMetadata: trailing) }
    case .finished:
      stream?.ended(trailingMetadata: trailing)
    case .failure(let error):
      call.failed(error)
    }
    return context
  }

  /// Finds the method and runs it.
  func serve(_ table: MethodTable, deadline: MonotonicInstant) {
    var path = call.method.path
    guard let method = path.withUTF8({ table.find(UnsafeRawBufferPointer($0)) }) else {
      return refuse("no method '\(call.method.path)' here")
    }
    let hasManyRequests = stream?.outbound != nil
    guard method.takesStream || !hasManyRequests else {
      return refuse("\(call.method.path) takes one request")
    }
    let request = hasManyRequests ? [] : encodedRequest()
    guard let request else { return }
    let context = ServerContext(
      registered: method, peer: configuration.peer, deadline: deadline, responder: self,
      executor: nil, loopIndex: 0)
    context.setMetadata(call.options.metadata)
    if method.takesStream {
      let inbound = InboundMessages(creditStep: 1)
      context.inbound = inbound
      if !hasManyRequests {
        inbound.deliver(EncodedMessage(request))
        inbound.end()
      }
    }
    guard begin(context) else { return }
    stream?.opened(by: self)
    request.withUnsafeBytes { if method.serve($0, context) { handlerEnded(context) } }
  }

  private func refuse(_ text: String) {
    end(.failure(RPCError(.unimplemented, text, phase: .answered)))
  }

  /// The one request; nil: it is too large, and the call has ended.
  private func encodedRequest() -> [UInt8]? {
    let size = call.requestSize()
    guard size <= configuration.messageLimit else {
      end(.failure(tooLarge("request", size)))
      return nil
    }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      call.encodeRequest(into: UnsafeMutableRawBufferPointer(buffer))
      count = size
    }
  }

  /// Starts the clock, unless the caller has given up already.
  private func begin(_ context: ServerContext) -> Bool {
    let clock = configuration.clock
    return state.withLock { state in
      guard !state.hasEnded else { return false }
      state.context = context
      guard context.deadline != .distantFuture else { return true }
      let timeout = MonotonicInstant.now.duration(to: context.deadline)
      state.timer = Task { [weak self] in
        guard (try? await clock.sleep(for: timeout)) != nil else { return }
        self?.expire()
      }
      return true
    }
  }

  private func expire() {
    let error = RPCError(.deadlineExceeded, "the call's deadline passed", phase: .sent)
    end(.failure(error))?.cancel(.deadlineExceeded)
  }

  func cancel(_ call: OutgoingCall) {
    end(.failure(OutgoingCall.givenUp))?.cancel(.byCaller)
  }

  func tooLarge(_ what: String, _ size: Int) -> RPCError {
    RPCError(
      .resourceExhausted,
      "the \(what) of \(call.method.path) has \(size) bytes, more than the limit of "
        + "\(configuration.messageLimit)", phase: .queued)
  }
}
