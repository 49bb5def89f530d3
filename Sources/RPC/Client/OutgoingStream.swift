package import ProtobufWire
import Synchronization

/// Carries the messages of a client's streaming calls: a connection, or the in-process exchange.
package protocol StreamCarrier: AnyObject, Sendable {
  /// True on the thread that its calls live on; `write` and what follows are to be called there.
  var isHere: Bool { get }

  /// Runs work on the thread that its calls live on.
  func post(_ work: @escaping @Sendable () -> Void)

  /// Sends a request. It tells the call's `outbound` when the message has to wait.
  func write(
    _ call: OutgoingStream, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError?

  /// The caller sends no more requests.
  func halfClose(_ call: OutgoingStream)

  /// The caller has taken responses of so many bytes.
  func returnCredit(_ call: OutgoingStream, _ bytes: Int)
}

/// A call with many requests, many responses, or both, on its way.
package class OutgoingStream: OutgoingCall, @unchecked Sendable {
  /// The responses that have come and weren't taken.
  package final let inbound: InboundMessages

  /// The requests; nil where the only request goes with the call.
  package final let outbound: OutboundMessages?

  private struct State {
    var carrier: (any StreamCarrier)?
    var isOver = false
    var metadata: Metadata?
    var trailers = Metadata()
    /// The call is over, or messages have come: no initial metadata will.
    var isMetadataKnown = false
    var waiting: [UnsafeContinuation<Metadata, Never>] = []
    var onEnd: [@Sendable (RPCError?) -> Void]
  }

  private let state: Mutex<State>

  package init(
    _ method: MethodDescriptor, options: CallOptions,
    onEnd: [@Sendable (RPCError?) -> Void]
  ) {
    // Below a quarter of the smallest window, so that the peer is never out of credit for it.
    inbound = InboundMessages(creditStep: 16 * 1024)
    outbound = method.shape.hasManyRequests ? OutboundMessages(isOpen: false) : nil
    state = Mutex(State(onEnd: onEnd))
    super.init(stream: method, options: options)
  }

  // MARK: For the invoker

  /// The call is on its way: waiting requests may follow. On the carrier's thread.
  package final func opened(by carrier: any StreamCarrier) {
    let isLive = state.withLock { state in
      if !state.isOver { state.carrier = carrier }
      return !state.isOver
    }
    guard isLive, let outbound, outbound.open() else { return }
    outbound.drain(through: self)
  }

  /// The call wasn't taken and goes elsewhere.
  package final func closedForAnother() {
    state.withLock { $0.carrier = nil }
    outbound?.reopenLater()
  }

  /// A response has come.
  package final func received(_ message: EncodedMessage) {
    tellMetadata(nil)
    inbound.deliver(message)
  }

  /// The server's initial metadata has come.
  package final func received(initialMetadata: Metadata) { tellMetadata(initialMetadata) }

  /// The call has ended with OK, without a further response.
  package final func ended(trailingMetadata: Metadata) {
    let onEnd = takeEnd(trailingMetadata)
    inbound.end()
    outbound?.fail(Self.answered)
    for action in onEnd { action(nil) }
  }

  package override final func succeeded(
    _ response: UnsafeRawBufferPointer, trailingMetadata: Metadata
  ) {
    received(EncodedMessage(Array(response)))
    ended(trailingMetadata: trailingMetadata)
  }

  package override final func failed(_ error: RPCError) {
    let onEnd = takeEnd(error.trailers)
    // What came before the server's own error counts.
    inbound.fail(error, dropping: error.phase != .answered)
    outbound?.fail(error)
    for action in onEnd { action(error) }
  }

  private func takeEnd(_ trailers: Metadata) -> [@Sendable (RPCError?) -> Void] {
    tellMetadata(nil)
    return state.withLock { state in
      state.carrier = nil
      state.isOver = true
      state.trailers = trailers
      defer { state.onEnd = [] }
      return state.onEnd
    }
  }

  private func tellMetadata(_ metadata: Metadata?) {
    let waiting = state.withLock { state in
      if let metadata { state.metadata = metadata }
      state.isMetadataKnown = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for reader in waiting { reader.resume(returning: metadata ?? Metadata()) }
  }

  private static let answered = RPCError(
    .cancelled, "the server has ended the call and takes no more requests", phase: .answered)

  // MARK: For the caller

  package final var trailingMetadata: Metadata { state.withLock { $0.trailers } }

  /// Waits until the initial metadata has come, or can't come any more.
  package final func waitForMetadata() async -> Metadata {
    await withUnsafeContinuation { continuation in
      let known = state.withLock { state -> Metadata? in
        if state.isMetadataKnown { return state.metadata ?? Metadata() }
        state.waiting.append(continuation)
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// Ends the requests.
  package final func finishRequests() {
    guard let outbound, outbound.finish() else { return }
    if isHere { return outbound.drain(through: self) }
    post { outbound.drain(through: self) }
  }

  private var carrier: (any StreamCarrier)? { state.withLock { $0.carrier } }
}

extension OutgoingStream: MessagePort {
  package final var isHere: Bool { carrier?.isHere ?? false }

  package final func post(_ work: @escaping @Sendable () -> Void) { carrier?.post(work) }

  package final func write(
    size: Int, compression: MessageCompression?, encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    guard let carrier else { return Self.answered }
    return carrier.write(
      self, size: size, compression: compression ?? options.compression, encode: encode)
  }

  package final func writeFailed(_ error: RPCError) {
    // A request is missing: whatever the server made of the others would be wrong.
    inbound.fail(error, dropping: true)
    giveUp()
  }

  package final func closeSending() { carrier?.halfClose(self) }

  package final func returnCredit(_ bytes: Int) { carrier?.returnCredit(self, bytes) }

  /// Returns credit, from any thread.
  final func giveBack(_ bytes: Int) {
    guard let carrier else { return }
    if carrier.isHere { return carrier.returnCredit(self, bytes) }
    carrier.post { carrier.returnCredit(self, bytes) }
  }
}

/// A call with one request and many responses.
package final class OutgoingServerStream<Request: Message>: OutgoingStream, @unchecked Sendable {
  private let request: Request
  private var plan = SizePlan()

  package init(
    _ method: MethodDescriptor, _ request: Request, options: CallOptions,
    onEnd: [@Sendable (RPCError?) -> Void]
  ) {
    self.request = request
    super.init(method, options: options, onEnd: onEnd)
  }

  package override func requestSize() -> Int {
    plan = request.sizePlan()
    return plan.total
  }

  package override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    request.encode(into: buffer, plan: plan)
  }
}
