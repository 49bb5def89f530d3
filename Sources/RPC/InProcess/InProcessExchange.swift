import RPCCore
import Synchronization

/// One in-process call from its start to its end.
final class InProcessExchange: CallCanceller, CallResponder {
  /// What the caller gets: the response's bytes, or an error.
  typealias Outcome = Result<[UInt8], RPCError>

  private struct State {
    var hasEnded = false
    var context: ServerContext?
    var timer: Task<Void, Never>?
  }

  private let call: OutgoingCall
  private let configuration: InProcessTransport.Configuration
  private let state = Mutex(State())

  init(_ call: OutgoingCall, _ configuration: InProcessTransport.Configuration) {
    self.call = call
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
    call.finish()
    switch outcome {
    case .success(let response):
      call.initialMetadata = context?.initialMetadata
      let trailing = context?.trailingMetadata ?? Metadata()
      response.withUnsafeBytes { call.succeeded($0, trailingMetadata: trailing) }
    case .failure(let error):
      call.failed(error)
    }
    return context
  }

  /// Finds the method and runs it.
  func serve(_ table: MethodTable, timeout: Duration) {
    var path = call.method.path
    guard let method = path.withUTF8({ table.find(UnsafeRawBufferPointer($0)) }) else {
      let text = "no method '\(call.method.path)' here"
      end(.failure(RPCError(.unimplemented, text, phase: .answered)))
      return
    }
    let size = call.requestSize()
    guard size <= configuration.messageLimit else {
      end(.failure(tooLarge("request", size)))
      return
    }
    let request = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      call.encodeRequest(into: UnsafeMutableRawBufferPointer(buffer))
      count = size
    }
    let context = ServerContext(
      registered: method, peer: configuration.peer,
      deadline: MonotonicInstant.now.advanced(by: timeout), responder: self, executor: nil,
      loopIndex: 0)
    context.setMetadata(call.options.metadata)
    guard begin(context, timeout) else { return }
    request.withUnsafeBytes { if method.serve($0, context) { handlerEnded(context) } }
  }

  /// Starts the clock, unless the caller has given up already.
  private func begin(_ context: ServerContext, _ timeout: Duration) -> Bool {
    let clock = configuration.clock
    return state.withLock { state in
      guard !state.hasEnded else { return false }
      state.context = context
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

  func respond(
    to context: ServerContext, size: Int, encode: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    respond(to: context, upTo: size) { buffer in
      encode(buffer)
      return size
    }
  }

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
    end(.success(response))
  }

  var maximumResponseSize: Int { configuration.messageLimit }

  func fail(_ context: ServerContext, _ error: RPCError) {
    context.isAnswered = true
    if error.code == .internal, let cause = error.cause {
      configuration.onHiddenError(context.method, cause)
    }
    var told = RPCError(error.status, wasStarted: true)
    told.trailers.append(contentsOf: context.trailingMetadata)
    end(.failure(told))
  }

  func handlerEnded(_ context: ServerContext) {}

  private func tooLarge(_ what: String, _ size: Int) -> RPCError {
    RPCError(
      .resourceExhausted,
      "the \(what) of \(call.method.path) has \(size) bytes, more than the limit of "
        + "\(configuration.messageLimit)", phase: .queued)
  }
}
