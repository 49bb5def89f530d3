import RPC
import RPCServer

/// Methods that fail as often as they are told, and note what came.
final class FlakyService: Sendable {
  struct Seen: Sendable {
    var previousAttempts: [Int] = []
    var cancellations = 0
    var failures: [RPCError] = []
    /// Attempts, by number, that wait until they are cancelled.
    var stuck: Set<Int> = []
  }

  /// May run twice.
  static let marked = MethodDescriptor(
    service: "test.Flaky", method: "Marked", shape: .unary, idempotency: .idempotent)

  /// May have run.
  static let unmarked = MethodDescriptor(
    service: "test.Flaky", method: "Unmarked", shape: .unary)

  let seen = Locked(Seen())

  /// The errors of the next calls, first to last; further ones succeed.
  init(failures: [RPCError] = [], stuck: Set<Int> = []) {
    seen.withLock {
      $0.failures = failures
      $0.stuck = stuck
    }
  }

  func register(in registry: inout MethodRegistry) {
    for method in [Self.marked, Self.unmarked] {
      registry.unary(method) { (request: EchoMessage, context) in
        try await self.answer(request, context)
      }
      registry.authorize(method, .anyone)
    }
  }

  private func answer(_ request: EchoMessage, _ context: ServerContext) async throws
    -> EchoMessage
  {
    let number = context.previousAttempts
    let (failure, isStuck) = seen.withLock { seen -> (RPCError?, Bool) in
      seen.previousAttempts.append(number)
      let failure = seen.failures.isEmpty ? nil : seen.failures.removeFirst()
      return (failure, seen.stuck.contains(number))
    }
    if isStuck {
      await withCheckedContinuation { continuation in
        context.onCancellation { _ in
          self.seen.withLock { $0.cancellations += 1 }
          continuation.resume()
        }
      }
    }
    if let failure { throw failure }
    return EchoMessage(text: "\(request.text) \(number)")
  }
}

/// How a call ended: its response's text, or its error.
struct CallOutcome: Sendable {
  var text: String?
  var error: RPCError?
}

/// Makes a call to its end.
func outcome(
  _ client: any CallInvoker, _ method: MethodDescriptor, _ text: String = "x",
  options: CallOptions = CallOptions()
) async -> CallOutcome {
  do throws(RPCError) {
    let response: EchoMessage = try await client.unary(
      method, EchoMessage(text: text), options: options)
    return CallOutcome(text: response.text)
  } catch {
    return CallOutcome(error: error)
  }
}
