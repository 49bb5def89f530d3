import Synchronization

/// The only connection that writes: takes what is queued, up to a bound, as one transaction.
final class SQLiteWriter: Sendable {
  private let core: Core
  private let queue: RequestQueue

  /// The most requests in one transaction.
  let batchLimit: Int

  init(_ connection: SQLiteConnection, options: SQLiteStore.Options) {
    let core = Core(connection, checkpointPages: options.checkpointPages)
    self.core = core
    batchLimit = options.batchLimit
    queue = RequestQueue(
      label: "onside.store.writer", capacity: options.queueCapacity,
      batchLimit: options.batchLimit
    ) { core.commit($0) }
  }

  func submit(_ request: StoreRequest) { queue.submit(request) }

  /// Why nothing is written any more.
  var failure: StoreError? { core.published.withLock { $0.failure } }

  func counters(readers: [SQLiteReader]) -> StoreCounters {
    var counters = core.published.withLock { $0.counters }
    counters.syncs = core.connection.syncs
    counters.overloadedRequests = queue.overloadedRequests
    for reader in readers { reader.add(to: &counters) }
    return counters
  }

  func close(completion: @escaping @Sendable () -> Void) {
    queue.close { [core] in
      core.connection.close()
      completion()
    }
  }

  /// What others may look at.
  struct Published {
    var counters = StoreCounters()
    var failure: StoreError?
  }
}

extension SQLiteWriter {
  /// The writer's work; all on the queue's thread, except for `published`.
  final class Core: Sendable {
    let connection: SQLiteConnection
    let published = Mutex(Published())
    private let checkpointPages: Int

    init(_ connection: SQLiteConnection, checkpointPages: Int) {
      self.connection = connection
      self.checkpointPages = max(checkpointPages, 1)
    }

    /// Carries a batch out, and completes its requests after it is on disk.
    func commit(_ batch: [StoreRequest]) {
      let (live, expired) = Self.split(batch, now: MonotonicClock.now)
      if let failure = published.withLock({ $0.failure }) {
        for request in live { request.fail(failure) }
      } else if !live.isEmpty {
        transact(live)
      }
      if expired > 0 { published.withLock { $0.counters.expiredRequests += expired } }
      Delivery.complete(batch)
      // After the answers, so that nobody waits for it who needn't.
      if connection.logPages >= checkpointPages { checkpoint() }
    }

    /// The requests whose deadline hasn't passed. The others are failed.
    private static func split(
      _ batch: [StoreRequest], now: Int64
    ) -> (live: [StoreRequest], expired: Int) {
      let live = batch.filter { request in
        guard let deadline = request.options.deadline, deadline <= now else { return true }
        request.fail(.deadlinePassed)
        return false
      }
      return (live, batch.count - live.count)
    }

    private func transact(_ requests: [StoreRequest]) {
      let changesBefore = connection.totalChanges
      do throws(StoreError) {
        try connection.run("BEGIN IMMEDIATE")
        let failed = try run(requests)
        try connection.run("COMMIT")
        let changed = connection.totalChanges != changesBefore
        published.withLock {
          if changed { $0.counters.commits += 1 }
          $0.counters.countBatch(of: requests.count)
          $0.counters.failedRequests += failed
        }
      } catch {
        abandon(requests, error)
      }
    }

    /// Runs the requests; answers how many failed by themselves, and throws what ends the batch.
    private func run(_ requests: [StoreRequest]) throws(StoreError) -> Int {
      var failed = 0
      for request in requests {
        guard let error = request.run(on: connection) else { continue }
        failed += 1
        // Some failures make SQLite take back the whole transaction, the other requests included.
        if error.stopsWrites || !connection.isInTransaction { throw error }
      }
      return failed
    }

    /// Takes a batch back and fails all of it. Unless another program was merely in the way, the
    /// disk can't be trusted any more: a failed sync may have lost what the kernel had taken.
    private func abandon(_ requests: [StoreRequest], _ error: StoreError) {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      let error = error.code == .busy ? error : stop(error)
      for request in requests { request.fail(error) }
      published.withLock { $0.counters.failedRequests += requests.count }
    }

    /// Refuses all writes from now on.
    private func stop(_ error: StoreError) -> StoreError {
      let failure =
        error.stopsWrites
        ? error
        : StoreError(
          .failed, "the store \(connection.path) failed: restart the server", cause: "\(error)")
      published.withLock { $0.failure = failure }
      return failure
    }

    private func checkpoint() {
      do throws(StoreError) {
        try connection.checkpoint()
        published.withLock { $0.counters.checkpoints += 1 }
      } catch {
        published.withLock { $0.counters.failedCheckpoints += 1 }
      }
    }
  }
}
