import OnsideDomain
import Synchronization

extension Marketplace {
  /// Everything that happens, from now on, beginning with all transactions that aren't finished.
  ///
  /// The queue works while at least one such sequence is alive. It ends when its iterating task is
  /// cancelled, when it is dropped, and when the marketplace is closed. Each sequence is for one
  /// iteration, and gets everything once.
  public func observe() -> AsyncStream<MarketplaceEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: MarketplaceEvent.self)
    let id: UInt64? = update { state in
      guard !state.isClosed else { return nil }
      let id = state.makeID()
      state.observers[id] = continuation
      state.queue.observe(id)
      return id
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.stopObserving(id) }
    return stream
  }

  private func stopObserving(_ id: UInt64) {
    // Released outside of the lock: its end may call back.
    let continuation = state.withLock { state in
      state.queue.stopObserving(id)
      return state.observers.removeValue(forKey: id)
    }
    continuation?.finish()
  }

  /// The transactions as they change, beginning with those that aren't finished: what `observe()`
  /// says of them, one after the other.
  public func transactionUpdates() -> TransactionUpdates {
    TransactionUpdates(events: observe())
  }
}

/// Transactions as they change.
public struct TransactionUpdates: AsyncSequence, Sendable {
  public typealias Element = PaymentTransaction
  public typealias Failure = Never

  let events: AsyncStream<MarketplaceEvent>

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator())
  }

  /// Takes one transaction after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var events: AsyncStream<MarketplaceEvent>.AsyncIterator
    var rest: ArraySlice<PaymentTransaction> = []

    /// The next change; nil when the marketplace was closed.
    public mutating func next() async -> PaymentTransaction? {
      await next(isolation: nil)
    }

    /// The next change; nil when the marketplace was closed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> PaymentTransaction? {
      while true {
        if let transaction = rest.popFirst() { return transaction }
        switch await events.next(isolation: actor) {
        case nil: return nil
        case .updated(let transactions): rest = transactions[...]
        default: continue
        }
      }
    }
  }
}
