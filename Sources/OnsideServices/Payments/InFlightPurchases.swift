import OnsideStore
import RPC
import Synchronization

/// The purchases whose outcome is being found out in this process, so that each is asked of the
/// processor by one task at a time; whoever else wants the outcome waits for that one.
final class InFlightPurchases: Sendable {
  typealias Outcome = Result<TransactionRecord, RPCError>

  private let tasks = Mutex<[TransactionID: Task<Outcome, Never>]>([:])

  /// How many are under way.
  var count: Int { tasks.withLock { $0.count } }

  /// Runs `resolve` for a transaction, or waits for the one that runs already.
  ///
  /// The work is a task of its own: it goes on when the caller that began it gives up, since money
  /// may have moved.
  func outcome(
    of id: TransactionID, _ resolve: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    let task = tasks.withLock { tasks in
      if let running = tasks[id] { return running }
      let task = Task {
        let outcome = await resolve()
        self.tasks.withLock { $0[id] = nil }
        return outcome
      }
      tasks[id] = task
      return task
    }
    return await task.value
  }
}
