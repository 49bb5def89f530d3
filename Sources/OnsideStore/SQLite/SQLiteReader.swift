import Synchronization

/// A connection that only reads, with a queue of its own. What gathers is read from one snapshot of
/// the database, which has every write that was answered before.
final class SQLiteReader: Sendable {
  private let core: Core
  private let queue: RequestQueue

  init(path: String, options: SQLiteStore.Options) throws(StoreError) {
    let connection = try SQLiteConnection(
      path: path, access: .readOnly, vfs: options.fileSystem)
    let core = Core(connection)
    self.core = core
    queue = RequestQueue(
      label: "onside.store.reader", capacity: options.queueCapacity,
      batchLimit: options.batchLimit
    ) { core.answer($0) }
  }

  func submit(_ request: StoreRequest) { queue.submit(request) }

  func close(completion: @escaping @Sendable () -> Void) {
    queue.close { [core] in
      core.connection.close()
      completion()
    }
  }

  /// Adds this reader's refusals to the store's.
  func add(to counters: inout StoreCounters) {
    let own = core.counts.withLock { $0 }
    counters.expiredRequests += own.expired
    counters.failedRequests += own.failed
    counters.overloadedRequests += queue.overloadedRequests
  }
}

extension SQLiteReader {
  /// The reader's work; all on the queue's thread, except for `counts`.
  final class Core: Sendable {
    let connection: SQLiteConnection
    let counts = Mutex((expired: 0, failed: 0))

    init(_ connection: SQLiteConnection) {
      self.connection = connection
    }

    func answer(_ batch: [StoreRequest]) {
      let now = MonotonicClock.now
      var expired = 0
      var failed = 0
      do throws(StoreError) {
        try connection.run("BEGIN")
        for request in batch {
          if let deadline = request.options.deadline, deadline <= now {
            request.fail(.deadlinePassed)
            expired += 1
          } else if request.run(on: connection) != nil {
            failed += 1
          }
        }
        try connection.run("COMMIT")
      } catch {
        // Each request keeps the answer that it read; only those without one are failed.
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        for request in batch { request.failUnlessAnswered(error) }
        failed = batch.count
      }
      if expired + failed > 0 {
        counts.withLock { $0 = ($0.expired + expired, $0.failed + failed) }
      }
      Delivery.complete(batch)
    }
  }
}
