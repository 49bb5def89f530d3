import Dispatch
import OnsideDomain
import Synchronization

extension Marketplace {
  /// A login that is under way.
  struct RunningLogin {
    let id: UInt64
    let result: OneShot<Result<SignedIn, OnsideError>>
    var task: Task<Void, Never>?
  }

  /// A user, and the session that it is.
  struct SignedIn: Sendable {
    let profile: ProfileRecord
    let run: UInt64
  }

  /// A login that waits for the store app's callback.
  struct WaitingForStoreApp {
    let loginID: String
    let answer: OneShot<StoreAppAnswer>
  }

  struct State {
    var host = MarketplaceHost()
    var callbackScheme: String?
    var isClosed = false

    /// Grows with each login and logout; what is asked in one run is applied only in it.
    var run: UInt64 = 0
    var profile: ProfileRecord?
    var login: RunningLogin?
    var storeApp: WaitingForStoreApp?

    var queue: QueueMachine
    var observers: [UInt64: AsyncStream<MarketplaceEvent>.Continuation] = [:]
    var nextID: UInt64 = 0

    /// The tasks of the session, which end with it, and those of the instance.
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var sessionTasks: Set<UInt64> = []

    /// Why what was kept of the queue can't be read, and why the last write failed. Nothing is
    /// sent then.
    var queueProblem: OnsideError?
    var saveProblem: OnsideError?

    /// The last write that was asked for, and what it had.
    var lastSave: Task<Void, Never>?
    var savedRevision: UInt64

    /// What the service is being told.
    var finishing: Set<QueueEntry.ID> = []
    var lastReminder: Task<Void, Never>?
    var attribution: OneShot<Result<String?, OnsideError>>?
    var installation: OneShot<String>?
    var events = EventBuffer()

    init(callbackScheme: String?) {
      self.callbackScheme = callbackScheme
      // Above all that an earlier instance of this process has saved.
      queue = QueueMachine(revision: DispatchTime.now().uptimeNanoseconds)
      savedRevision = queue.revision
    }

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }

    /// Gives observers what they have to be told. Called under the lock, so that everybody is told
    /// everything in one order.
    mutating func tellObservers() {
      let notices = queue.notices
      queue.notices = []
      for notice in notices {
        if let observer = notice.observer {
          observers[observer]?.yield(notice.event)
        } else {
          for observer in observers.values { observer.yield(notice.event) }
        }
      }
    }
  }

  /// Changes the state, tells observers, keeps what has to be kept, and starts what can be started.
  @discardableResult
  func update<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    let value = state.withLock { state in
      let value = body(&state)
      state.tellObservers()
      return value
    }
    saveSoon()
    startWork()
    return value
  }

  /// The same, if a run isn't over; nil: it is, and nothing has happened.
  @discardableResult
  func update<Value: Sendable>(in run: UInt64, _ body: (inout State) -> Value) -> Value? {
    update { $0.run == run && !$0.isClosed ? body(&$0) : nil }
  }

  func isCurrent(_ run: UInt64) -> Bool {
    state.withLock { $0.run == run && !$0.isClosed }
  }

  /// Runs something until it ends, the session ends if it belongs to one, or the marketplace is
  /// closed.
  func spawn(in run: UInt64? = nil, _ body: @escaping @Sendable (Marketplace) async -> Void) {
    state.withLock { state in
      guard !state.isClosed, run == nil || run == state.run else { return }
      let id = state.makeID()
      state.tasks[id] = Task {
        await body(self)
        self.state.withLock { state in
          state.tasks[id] = nil
          state.sessionTasks.remove(id)
        }
      }
      if run != nil { state.sessionTasks.insert(id) }
    }
  }

  /// Waits before attempt `attempt + 1`: 100 ms, doubled each time up to 30 s, of which a random
  /// half is left out.
  ///
  /// - Returns: false if there is no sense in another attempt.
  func pauseAfter(_ attempt: Int, in run: UInt64?) async -> Bool {
    let longest = min(30_000, 100 << min(attempt, 9))
    do {
      try await configuration.pause(.milliseconds(Int.random(in: longest / 2...longest)))
    } catch {
      return false
    }
    guard !Task.isCancelled else { return false }
    return run.map { isCurrent($0) } ?? true
  }

  /// Stops everything at once, as the end of the process would: nobody is signed out, and what is
  /// kept on disk stays. Observers' sequences end. A closed marketplace can't be used any more.
  public func close() {
    let (tasks, observers) = state.withLock { state in
      state.isClosed = true
      defer {
        state.tasks = [:]
        state.observers = [:]
      }
      state.storeApp?.answer.resolve(.timedOut)
      state.login?.result.resolve(.failure(Self.closed))
      state.login?.task?.cancel()
      state.lastReminder?.cancel()
      return (Array(state.tasks.values), Array(state.observers.values))
    }
    for task in tasks { task.cancel() }
    for observer in observers { observer.finish() }
  }

  /// Closes, and gives the state directory up, so that another marketplace may have it from the
  /// answer on. What was to be kept before is on disk by then.
  public func shutDown() async {
    close()
    await state.withLock { $0.lastSave }?.value
    await store.close()
  }

  static let closed = OnsideError(.cancelled, "the marketplace was closed")
}

extension QueueEntry {
  typealias ID = PaymentTransaction.ID
}
