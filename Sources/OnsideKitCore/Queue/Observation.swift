import OnsideClient

/// One observer of the queue, and the task that tells it events.
@MainActor final class Observation {
  private(set) weak var observer: (any OnsidePaymentTransactionObserver)?
  private var task: Task<Void, Never>?

  init(_ observer: any OnsidePaymentTransactionObserver) {
    self.observer = observer
  }

  deinit { task?.cancel() }

  /// Tells the observer everything from now on, instead of what it was told so far.
  func follow(_ instance: any MarketplaceInstance, for queue: PaymentQueue) {
    task?.cancel()
    task = Task { [weak self, weak queue] in
      await instance.observe { event in
        guard let queue, let observer = self?.observer else { return false }
        queue.tell(observer, event)
        return true
      }
    }
  }
}
