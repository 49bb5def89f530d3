import Dispatch
import Synchronization

/// A bounded queue of requests that a serial dispatch queue of its own takes in batches.
///
/// While a batch is being worked on, new requests gather; they are the next batch. So the batches
/// grow with the load by themselves, and a lone request waits for nobody.
final class RequestQueue: Sendable {
  private struct State {
    var waiting: [StoreRequest] = []

    /// Taken from `waiting`, but not begun.
    var taken = 0

    /// A block that drains the queue is under way.
    var isScheduled = false

    var isClosed = false
    var whenClosed: [@Sendable () -> Void] = []
    var overloaded = 0
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let capacity: Int
  private let batchLimit: Int
  private let process: @Sendable ([StoreRequest]) -> Void

  /// A queue for up to `capacity` waiting requests; `process` gets up to `batchLimit` of them at a
  /// time, on the dispatch queue, and completes them.
  init(
    label: String, capacity: Int, batchLimit: Int,
    process: @escaping @Sendable ([StoreRequest]) -> Void
  ) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
    self.capacity = max(capacity, 1)
    self.batchLimit = max(batchLimit, 1)
    self.process = process
  }

  /// How many requests were refused since the queue was full.
  var overloadedRequests: Int { state.withLock { $0.overloaded } }

  /// Queues a request, or completes it with a refusal at once.
  func submit(_ request: StoreRequest) {
    let (refusal, schedules) = state.withLock { state -> (StoreError?, Bool) in
      guard !state.isClosed else { return (.storeClosed, false) }
      guard state.waiting.count + state.taken < capacity else {
        state.overloaded += 1
        return (.queueFull(capacity), false)
      }
      state.waiting.append(request)
      defer { state.isScheduled = true }
      return (nil, !state.isScheduled)
    }
    if let refusal {
      request.fail(refusal)
      Delivery.complete(CollectionOfOne(request))
    } else if schedules {
      queue.async { self.drain() }
    }
  }

  /// Refuses further requests, carries out what is queued, then runs `whenClosed` on the dispatch
  /// queue.
  func close(whenClosed: @escaping @Sendable () -> Void) {
    let schedules = state.withLock { state -> Bool in
      state.isClosed = true
      state.whenClosed.append(whenClosed)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if schedules { queue.async { self.drain() } }
  }

  private func drain() {
    while true {
      let (requests, closers) = state.withLock {
        state -> ([StoreRequest], [@Sendable () -> Void]) in
        var requests: [StoreRequest] = []
        swap(&requests, &state.waiting)
        state.taken = requests.count
        guard requests.isEmpty else { return (requests, []) }
        defer { state.whenClosed = [] }
        if state.whenClosed.isEmpty { state.isScheduled = false }
        return ([], state.whenClosed)
      }
      if requests.isEmpty && closers.isEmpty { return }
      for closer in closers { closer() }
      work(on: requests)
    }
  }

  private func work(on requests: [StoreRequest]) {
    var start = 0
    while start < requests.count {
      let end = min(start + batchLimit, requests.count)
      state.withLock { $0.taken -= end - start }
      process(Array(requests[start..<end]))
      start = end
    }
  }
}
