import OnsideClient

/// Transactions as they change: an addition to the SDK's interface.
public struct OnsideTransactionUpdates: AsyncSequence, Sendable {
  public typealias Element = OnsidePaymentTransaction
  public typealias Failure = Never

  private let stream: AsyncStream<OnsidePaymentTransaction>

  @MainActor init(_ queue: PaymentQueue) {
    let (stream, continuation) = AsyncStream.makeStream(of: OnsidePaymentTransaction.self)
    self.stream = stream
    let observer = UpdatesObserver(continuation)
    queue.add(observer: observer)
    // The stream keeps its observer, which the queue doesn't.
    continuation.onTermination = { [weak queue] _ in
      Task { @MainActor in queue?.remove(observer: observer) }
    }
  }

  /// Takes one change after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<OnsidePaymentTransaction>.AsyncIterator

    /// The next change; nil at the end.
    public mutating func next() async -> OnsidePaymentTransaction? {
      await base.next(isolation: nil)
    }

    /// The next change; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> OnsidePaymentTransaction? {
      await base.next(isolation: actor)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: stream.makeAsyncIterator())
  }
}

/// Puts what an observer is told into a sequence.
@MainActor final class UpdatesObserver: OnsidePaymentTransactionObserver {
  private let continuation: AsyncStream<OnsidePaymentTransaction>.Continuation

  init(_ continuation: AsyncStream<OnsidePaymentTransaction>.Continuation) {
    self.continuation = continuation
  }

  func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]
  ) {
    for transaction in updatedTransactions { continuation.yield(transaction) }
  }

  /// Nothing more comes.
  func end() { continuation.finish() }
}
