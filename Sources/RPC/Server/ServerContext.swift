import Synchronization

/// What a handler knows about its call, and what it may say beside its response.
///
/// One context belongs to one call. Everything public may be used from any thread until the call's
/// handler has returned.
public final class ServerContext: @unchecked Sendable {
  /// The connection's peer.
  public let peer: PeerInfo

  /// Which of the server's event loops the call came in on; 0 in process. Handlers use it to pick
  /// what they keep for each loop.
  public let loopIndex: Int

  /// Where the handler's task runs when it isn't isolated to an actor; nil: anywhere.
  @exclusivity(unchecked) @usableFromInline package private(set) var executor: (any TaskExecutor)?

  package let responder: any CallResponder

  /// True while the call's handler and its transport share one thread.
  let isConfined: Bool

  // Written by the transport, on its loop, before the call is seen by anybody else or where it says
  // so. Whole values are read and written, so that no two accesses can overlap.

  /// The method as it is registered.
  @exclusivity(unchecked) package var registered: RegisteredMethod

  /// When the caller stops waiting; at it the runtime answers for the handler.
  @exclusivity(unchecked) public package(set) var deadline: MonotonicInstant

  /// Who the method's authorization rule says the caller is.
  @exclusivity(unchecked) public package(set) var principal: (any Sendable)?

  /// The call's stream, to the transport.
  @exclusivity(unchecked) package var stream: UInt32 = 0

  /// The handler's task, while it runs on a loop. For the transport, on its loop.
  @exclusivity(unchecked) package var task: Task<Void, Never>?

  /// True once the caller has its answer. For the transport, on its loop.
  @exclusivity(unchecked) package var isAnswered = false

  /// True while the rest of the request is still to come. For the transport, on its loop.
  @exclusivity(unchecked) package var isAwaitingRequest = false

  /// True once the handler's task has ended. For the transport, on its loop.
  @exclusivity(unchecked) package var handlerHasEnded = false

  /// True when the request came compressed. Written before the handler sees it.
  @exclusivity(unchecked) public package(set) var isRequestCompressed = false

  /// The requests of a call that takes many. Written before its handler starts.
  @exclusivity(unchecked) package var inbound: InboundMessages?

  /// The responses of a call that gives many. Written before its handler starts.
  @exclusivity(unchecked) package var outbound: OutboundMessages?

  /// True once the initial metadata of a call with many responses was sent. For the transport.
  @exclusivity(unchecked) package var hasSentMetadata = false

  /// The header block of a call with metadata as it came; readable only until the handler's task
  /// starts.
  @exclusivity(unchecked) package var borrowedMetadata = UnsafeRawBufferPointer(
    start: nil, count: 0)

  /// True once anything in `shared` was written: most calls never do.
  let usesShared = Atomic<Bool>(false)
  let shared = Mutex(Shared())

  /// What both the handler and the transport touch.
  struct Shared {
    var metadata: Metadata?
    var previousAttempts = 0
    /// Of a call that asks how long it takes: when it came.
    var received: MonotonicInstant?
    var initialMetadata = Metadata()
    var trailingMetadata = Metadata()
    var responseCompression = MessageCompression.automatic
    var cancellation: CallCancellation?
    var isOver = false
    var task: Task<Void, Never>?
    var cancellationActions: [@Sendable (CallCancellation) -> Void] = []
  }

  package init(
    registered: RegisteredMethod, peer: PeerInfo, deadline: MonotonicInstant,
    responder: any CallResponder, executor: (any TaskExecutor)?, loopIndex: Int,
    isConfined: Bool = true
  ) {
    self.registered = registered
    self.peer = peer
    self.deadline = deadline
    self.responder = responder
    self.executor = executor
    self.loopIndex = loopIndex
    self.isConfined = isConfined && executor != nil
  }

  /// Makes the context as new, for another call of the same connection. Only while nobody else
  /// holds it.
  ///
  /// - Returns: False when the call left something behind that isn't worth cleaning up; the
  ///   context is not used again then.
  package func recycle(
    for method: RegisteredMethod, stream: UInt32, deadline: MonotonicInstant
  ) -> Bool {
    guard !usesShared.load(ordering: .acquiring) else { return false }
    if registered !== method {
      registered = method
      if executor != nil { executor = method.executors[loopIndex] }
    }
    self.stream = stream
    self.deadline = deadline
    if principal != nil { principal = nil }
    if task != nil { task = nil }
    isAnswered = false
    handlerHasEnded = false
    isAwaitingRequest = false
    isRequestCompressed = false
    borrowedMetadata = UnsafeRawBufferPointer(start: nil, count: 0)
    return true
  }

  /// Claims the right to answer the call; false when somebody has answered it.
  package func beginAnswer() -> Bool {
    if isAnswered { return false }
    isAnswered = true
    return true
  }

  @usableFromInline package var interceptors: [any ServerInterceptor] {
    registered.currentInterceptors
  }

  /// The most bytes of an encoded response that the caller takes. For immediate handlers, and for
  /// others where the handler's task began.
  package var maximumResponseSize: Int { responder.maximumResponseSize }

  /// The method that is called.
  public var method: MethodDescriptor { registered.descriptor }
}
