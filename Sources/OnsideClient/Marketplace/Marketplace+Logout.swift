import OnsideDomain
import Synchronization

extension Marketplace {
  /// Signs the user out, and gives up a login that is under way. The app's own account isn't
  /// touched.
  ///
  /// The user is forgotten at once, with everything that is the user's; unfinished transactions are
  /// kept on disk until the user comes again. The kept session is gone from the disk before the
  /// service is told: whenever the process ends, the next one finds a good session or none.
  ///
  /// - Returns: what takes the session from the disk and ends it with the service. Once it is
  ///   through nobody is signed in at the next launch either.
  @discardableResult
  public func logOut() -> Task<Void, Never> {
    let (session, removal, tasks) = update { state in
      state.login?.task?.cancel()
      state.login?.result.resolve(.failure(Self.loggedOut))
      state.login = nil
      state.storeApp?.answer.resolve(.refused)
      state.storeApp = nil
      // Under the lock, so that a login that begins now counts this logout.
      let session = backend.forgetSession()
      let tasks = forgetUser(&state)
      return (session, forgetKeptSession(&state), tasks)
    }
    for task in tasks { task.cancel() }
    return Task {
      // The kept one is another if it wasn't taken up yet.
      let kept = await removal.value?.session
      for session in Set([session, kept].compactMap { $0 }) { await end(session) }
    }
  }

  /// Ends a session with the service, if it can be reached soon.
  private func end(_ session: Session) async {
    for attempt in 0..<3 {
      do throws(OnsideError) {
        return try await backend.end(session)
      } catch {
        guard error.code == .unavailable, await pauseAfter(attempt, in: nil) else { return }
      }
    }
  }

  /// The service doesn't accept the session of a run any more.
  func sessionLost(in run: UInt64) {
    let tasks: [Task<Void, Never>]? = update(in: run) { state in
      guard state.profile != nil else { return [] }
      _ = backend.forgetSession()
      let tasks = forgetUser(&state)
      forgetKeptSession(&state)
      return tasks
    }
    for task in tasks ?? [] { task.cancel() }
  }

  /// Forgets everything that is the user's; returns the tasks that are to be cancelled.
  private func forgetUser(_ state: inout State) -> [Task<Void, Never>] {
    save(&state)
    state.run += 1
    var tasks = state.sessionTasks.compactMap { state.tasks[$0] }
    if let reminder = state.lastReminder { tasks.append(reminder) }
    state.lastReminder = nil
    state.sessionTasks = []
    state.finishing = []
    state.queueProblem = nil
    let profile = state.profile
    state.profile = nil
    state.queue.signOut()
    state.savedRevision = state.queue.revision
    if let profile {
      state.queue.tell(.userChanged(from: profile, to: nil))
      state.queue.tell(.storefrontChanged(nil))
    }
    return tasks
  }

  /// What a failed call means for the session.
  func note(_ error: OnsideError, in run: UInt64) {
    if error.code == .sessionLost || error.code == .notSignedIn { sessionLost(in: run) }
  }
}
