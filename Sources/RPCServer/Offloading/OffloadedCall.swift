import RPC
import RPCCore
import RPCTransport
import Synchronization

/// A call whose handler runs on a worker, and whose connection lives on a loop.
///
/// The handler gets a context of its own (`inner`); what it answers is posted back to the loop,
/// where the call's other context (`outer`) stands for it.
final class OffloadedCall: CallResponder {
  private let connection: ServerConnection
  private let outer: ServerContext
  let maximumResponseSize: Int

  init(_ connection: ServerConnection, _ outer: ServerContext) {
    self.connection = connection
    self.outer = outer
    maximumResponseSize = connection.maximumResponseSize
  }

  /// The context for the handler. On the loop.
  func makeInner(_ workers: WorkerExecutor) -> ServerContext {
    let inner = ServerContext(
      registered: outer.registered, peer: outer.peer, deadline: outer.deadline, responder: self,
      executor: workers, loopIndex: outer.loopIndex, isConfined: false)
    inner.adopt(outer)
    outer.onCancellation { inner.cancel($0) }
    return inner
  }

  var isHere: Bool { connection.isHere }

  func post(_ work: @escaping @Sendable () -> Void) { connection.post(work) }

  /// Runs work on the loop with what the handler has said beside its response.
  private func answer(
    _ inner: ServerContext, _ work: @escaping @Sendable (ServerConnection, ServerContext) -> Void
  ) {
    post { [connection, outer] in
      outer.takeAnswerMetadata(of: inner)
      work(connection, outer)
    }
  }

  func respond(
    to context: ServerContext, upTo maximum: Int, encode: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let message = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
      count = encode(UnsafeMutableRawBufferPointer(buffer))
    }
    answer(context) { connection, outer in
      connection.respond(to: outer, size: message.count) { $0.copyBytes(from: message) }
    }
  }

  func fail(_ context: ServerContext, _ error: RPCError) {
    answer(context) { connection, outer in connection.fail(outer, error) }
  }

  func cutConnection(of context: ServerContext) {
    post { [connection, outer] in connection.cutConnection(of: outer) }
  }

  func handlerEnded(_ context: ServerContext) {
    answer(context) { connection, outer in
      outer.endStreams()
      outer.handlerEnded()
      connection.handlerEnded(outer)
    }
  }

  func finish(_ context: ServerContext) {
    answer(context) { connection, outer in
      context.outbound?.drain(through: context)
      connection.finish(outer)
    }
  }

  // MARK: On the loop

  func write(
    _ context: ServerContext, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    outer.takeAnswerMetadata(of: context)
    return connection.write(outer, size: size, compression: compression, encode: encode)
  }

  func sendInitialMetadata(_ context: ServerContext) {
    outer.takeAnswerMetadata(of: context)
    connection.sendInitialMetadata(outer)
  }

  func returnCredit(_ context: ServerContext, _ bytes: Int) {
    connection.returnCredit(outer, bytes)
  }

  func offload(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ start: RegisteredMethod.Start
  ) {
    start(request, context)
  }
}

extension ServerConnection {
  /// Hands a call to the workers; it is refused when too many wait for one.
  func offload(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext,
    _ start: @escaping RegisteredMethod.Start
  ) {
    context.keepMetadata()
    if context.method.shape.hasManyResponses { context.outbound = OutboundMessages(isOpen: true) }
    let workers = parts.workers
    let inner = OffloadedCall(self, context).makeInner(workers)
    let request = Array(request)
    let isTaken = workers.submit { [counters] in
      // Nobody waits for it any more: its time is over, or its caller has gone.
      guard !inner.isCancelled, inner.deadline > .now else {
        counters.unstartedCalls.wrappingAdd(1, ordering: .relaxed)
        inner.fail(RPCError(.deadlineExceeded, "the deadline passed before a worker was free"))
        return inner.didRunStream()
      }
      request.withUnsafeBytes { start($0, inner) }
    }
    guard !isTaken else { return }
    let text =
      "\(workers.limit) calls wait for a worker already; raise offload.queueLimit or threads"
    fail(context, RPCError(.resourceExhausted, text))
    context.handlerEnded()
    handlerEnded(context)
  }
}
