import RPC
import RPCCore
import RPCTransport

extension ServerConnection {
  /// Runs a call that has come in.
  func begin(_ call: InboundCall, _ payload: UnsafeRawBufferPointer) {
    let stream = call.stream.rawValue
    let path = UnsafeRawBufferPointer(rebasing: payload[call.method])
    guard let method = method(path) else {
      return refuse(stream, .unimplemented, "no method '\(escaped: path)' here")
    }
    counters.calls.countStart(of: method.label)
    let context = makeContext(method, call)
    if call.metadataCount > 0 {
      context.borrowedMetadata = UnsafeRawBufferPointer(rebasing: payload[call.header])
      context.noteReceipt()
    }
    if method.takesStream { return beginStream(call, payload, context) }
    switch call.message {
    case .borrowed(let range):
      serve(UnsafeRawBufferPointer(rebasing: payload[range]), call.isCompressed, context)
    case .assembled(let bytes):
      bytes.withUnsafeBytes { serve($0, call.isCompressed, context) }
    case nil where call.isHalfClosed:
      refuse(
        stream, .unimplemented, "\(method.descriptor.path) takes one request and got none",
        of: method.label)
    case nil:
      holdForRequest(context)
    }
  }

  private func method(_ path: UnsafeRawBufferPointer) -> RegisteredMethod? {
    if let lastMethod, lastMethod.isNamed(path) { return lastMethod }
    guard let method = parts.table.find(path) else { return nil }
    lastMethod = method
    loop.setLabel(method.label)
    return method
  }

  /// Keeps a call until the rest of its request has come.
  private func holdForRequest(_ context: ServerContext) {
    context.keepMetadata()
    context.isAwaitingRequest = true
    running.insert(context, at: context.stream)
    let deadline = min(context.deadline, parts.deadlines.requestDeadline(received: loop.now))
    core.setDeadline(StreamID(context.stream), deadline)
  }

  /// The request of a call that was kept has come whole.
  func take(_ message: InboundMessage, _ payload: UnsafeRawBufferPointer) {
    let stream = message.stream.rawValue
    guard let context = running[stream] else { return }
    if let inbound = context.inbound {
      inbound.deliver(encoded(message.content, payload, message.isCompressed))
      if message.isLast { inbound.end() }
      return
    }
    guard context.isAwaitingRequest else {
      let error = RPCError(
        .unimplemented, "\(context.method.path) takes one request and got more")
      fail(context, error)
      return abandon(context, .byCaller)
    }
    running.remove(stream)
    switch message.content {
    case .borrowed(let range):
      serve(UnsafeRawBufferPointer(rebasing: payload[range]), message.isCompressed, context)
    case .assembled(let bytes):
      bytes.withUnsafeBytes { serve($0, message.isCompressed, context) }
    }
  }

  /// The client has half-closed without a message more.
  func requestEnded(_ stream: UInt32) {
    guard let context = running[stream] else { return }
    if let inbound = context.inbound { return inbound.end() }
    guard context.isAwaitingRequest else { return }
    fail(
      context,
      RPCError(.unimplemented, "\(context.method.path) takes one request and got none"))
    abandon(context, .byCaller)
  }

  /// Runs a call whose request is here.
  private func serve(
    _ request: UnsafeRawBufferPointer, _ isCompressed: Bool, _ context: ServerContext
  ) {
    if context.isAwaitingRequest { context.isAwaitingRequest = false }
    if refuseExpired(context) { return }
    if isCompressed { return serveCompressed(request, context) }
    if context.registered.serve(request, context) {
      finishAtOnce(context)
    } else {
      handlerStarted(context)
    }
  }

  /// The call's handler has begun, and may have ended.
  func handlerStarted(_ context: ServerContext) {
    started += 1
    if !context.handlerHasEnded { keepRunning(context) }
  }

  /// Answers a call whose time was over before its turn in this pass came: its handler never runs.
  func refuseExpired(_ context: ServerContext) -> Bool {
    // The pass's own instant is right but for the time that the calls before have taken.
    guard context.deadline.nanoseconds(since: loop.now) < Self.longestPass,
      context.deadline <= .now
    else { return false }
    counters.expiredCalls.add(1)
    fail(context, RPCError(.deadlineExceeded, "the deadline passed before the handler began"))
    finishAtOnce(context)
    return true
  }

  /// No pass takes longer, in nanoseconds: calls with more time than that needn't look at the
  /// clock.
  private static let longestPass: Int64 = 1_000_000_000

  private func serveCompressed(_ request: UnsafeRawBufferPointer, _ context: ServerContext) {
    do throws(CompressionError) {
      guard !context.method.carriesCredentials else { throw .notAllowed }
      let inflated = try parts.inflater.inflate(request)
      context.isRequestCompressed = true
      serve(inflated.bytes, false, context)
    } catch {
      fail(context, RPCError(error.statusCode, "\(error)"))
      finishAtOnce(context)
    }
  }

  /// The call is answered and no handler holds its context.
  func finishAtOnce(_ context: ServerContext) {
    counters.immediateCalls.add(1)
    release(context.stream)
    if spare == nil { spare = context }
  }

  /// The call's handler waits for something.
  func keepRunning(_ context: ServerContext) {
    counters.runningHandlers.add(1)
    running.insert(context, at: context.stream)
    core.setDeadline(StreamID(context.stream), context.deadline)
  }

  /// A context for a call: the spare one when nobody else holds it.
  private func makeContext(_ method: RegisteredMethod, _ call: InboundCall) -> ServerContext {
    let now = loop.now
    let deadline = parts.deadlines.deadline(
      call.timeoutMicroseconds, hasFallback: method.hasDefaultDeadline, received: now)
    if isKnownUniquelyReferenced(&spare), let context = spare {
      // Never two calls at a time: a call that is over at once gives it back.
      spare = nil
      if context.recycle(for: method, stream: call.stream.rawValue, deadline: deadline) {
        return context
      }
    }
    return freshContext(method, call, deadline)
  }

  private func freshContext(
    _ method: RegisteredMethod, _ call: InboundCall, _ deadline: MonotonicInstant
  ) -> ServerContext {
    let context = ServerContext(
      registered: method, peer: peer, deadline: deadline, responder: self,
      executor: method.executors[loop.index],
      loopIndex: loop.index)
    context.stream = call.stream.rawValue
    return context
  }

  /// Answers a call that has no context with an error.
  private func refuse(
    _ stream: UInt32, _ code: StatusCode, _ text: String, of label: UInt = 0
  ) {
    counters.calls.countAnswer(code, of: label)
    _ = channel.withOutput {
      core.end(StreamID(stream), Status(code: code, message: text), into: &$0)
    }
    release(stream)
  }

  /// Gives a call's slot back.
  func release(_ stream: UInt32) {
    guard !isOver else { return }
    channel.withOutput { core.handlerEnded(StreamID(stream), into: &$0) }
    if core.isDraining { closeIfDrained() }
  }

  /// Nobody waits for a call any more: its handler is cancelled, or, when there is none yet, its
  /// slot is free.
  func abandon(_ context: ServerContext, _ reason: CallCancellation) {
    context.isAnswered = true
    if context.isAwaitingRequest {
      context.isAwaitingRequest = false
      running.remove(context.stream)
      release(context.stream)
    } else {
      context.cancel(reason)
    }
  }

  /// A call's deadline has passed.
  func expire(_ stream: UInt32) {
    guard let context = running[stream], !context.isAnswered else { return }
    counters.expiredCalls.add(1)
    let cause = context.isAwaitingRequest ? "the request came whole" : "the handler answered"
    fail(context, RPCError(.deadlineExceeded, "the deadline passed before \(cause)"))
    abandon(context, .deadlineExceeded)
  }
}

extension DefaultStringInterpolation {
  /// Bytes that should be a name, cut and with everything that isn't printable replaced: they go
  /// into texts for people and logs.
  fileprivate mutating func appendInterpolation(escaped bytes: UnsafeRawBufferPointer) {
    let shown = bytes.prefix(128).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    appendLiteral(String(decoding: shown, as: UTF8.self))
    if bytes.count > 128 { appendLiteral("…") }
  }
}
