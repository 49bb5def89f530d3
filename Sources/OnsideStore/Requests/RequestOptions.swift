/// Where completions of requests are run: an event loop.
public protocol CompletionTarget: AnyObject, Sendable {
  /// Runs `work` soon, after everything posted before. Called from the store's own threads; must
  /// not block.
  func post(_ work: @escaping @Sendable () -> Void)
}

/// How a request is to be handled.
public struct RequestOptions: Sendable {
  /// When the request has become pointless, in nanoseconds of the monotonic clock
  /// (`CLOCK_MONOTONIC`); nil: never.
  ///
  /// A request that is still queued then is dropped with `StoreError.Code.deadlineExceeded`. One
  /// that was begun is carried through.
  public var deadline: Int64?

  /// Where the completion runs; all completions of one batch with the same target are delivered by
  /// a single post. Nil: on the store's own thread, which the completion must not hold up.
  public var target: (any CompletionTarget)?

  public init(deadline: Int64? = nil, target: (any CompletionTarget)? = nil) {
    self.deadline = deadline
    self.target = target
  }
}

/// Takes the answer to a request.
public typealias StoreCompletion<Value> = @Sendable (Result<Value, StoreError>) -> Void
