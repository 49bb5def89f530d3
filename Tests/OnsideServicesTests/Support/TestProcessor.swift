import OnsideDomain
import OnsideServices
import Synchronization

/// A processor whose answers a test decides: each request waits until it is answered.
final class TestProcessor: PaymentProcessor {
  typealias Answer = Result<PaymentOutcome, ProcessorError>

  private struct State {
    var requests: [PaymentRequest] = []
    var waiting: [CheckedContinuation<Answer, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// All requests so far, in their order.
  var requests: [PaymentRequest] { state.withLock { $0.requests } }

  func problem(withToken token: String, of method: PaymentMethodKind) -> String? {
    token.hasPrefix("bad") ? "the payment token is bad; send a good one" : nil
  }

  func keepCard(_ card: CardDetails) async throws(ProcessorError) -> String {
    "card-\(card.number.lastFour)"
  }

  func authorize(_ payment: PaymentRequest) async throws(ProcessorError) -> PaymentOutcome {
    let answer = await withCheckedContinuation { continuation in
      let watchers = state.withLock { state in
        state.requests.append(payment)
        state.waiting.append(continuation)
        let due = state.watchers.filter { $0.count <= state.requests.count }
        state.watchers.removeAll { $0.count <= state.requests.count }
        return due
      }
      for watcher in watchers { watcher.continuation.resume() }
    }
    return try answer.get()
  }

  /// Waits until there have been so many requests.
  func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.requests.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  /// Answers all requests that wait.
  func answer(_ answer: Answer) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: answer) }
  }
}

extension Result where Failure == ProcessorError {
  /// The processor is down.
  static var down: Result { .failure(ProcessorError(.unavailable, "down")) }
}
