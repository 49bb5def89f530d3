import Dispatch
import OnsideDomain
import Synchronization

/// What is kept on disk.
extension Marketplace {
  static func queueName(_ profileID: String) -> String { "queue-\(profileID)" }

  private struct Snapshot: Sendable {
    let profileID: String
    let revision: UInt64
    let entries: [QueueEntry]
  }

  /// Writes the queue in the background if it has changed.
  func saveSoon() {
    state.withLock { save(&$0) }
  }

  /// The same, by whoever has the state.
  func save(_ state: inout State) {
    guard let snapshot = Self.snapshot(&state) else { return }
    state.lastSave = saving(snapshot, after: state.lastSave)
  }

  /// What isn't on its way to the disk yet.
  private static func snapshot(_ state: inout State) -> Snapshot? {
    guard let profile = state.profile, state.queueProblem == nil, !state.isClosed,
      state.queue.revision > state.savedRevision
    else { return nil }
    state.savedRevision = state.queue.revision
    return Snapshot(
      profileID: profile.id, revision: state.queue.revision, entries: state.queue.entries)
  }

  private func saving(_ snapshot: Snapshot, after last: Task<Void, Never>?) -> Task<Void, Never> {
    Task { [store] in
      await last?.value
      do throws(OnsideError) {
        try await store.save(
          Self.queueName(snapshot.profileID), revision: snapshot.revision,
          KeptQueue(profileID: snapshot.profileID, entries: snapshot.entries).bytes)
      } catch {
        state.withLock { state in
          state.saveProblem = error
          state.savedRevision = 0
        }
        return
      }
      state.withLock { $0.saveProblem = nil }
    }
  }

  /// Waits until everything that the queue has now is on disk.
  ///
  /// - Returns: why it isn't; nil: it is.
  func saved() async -> OnsideError? {
    saveSoon()
    await state.withLock { $0.lastSave }?.value
    return state.withLock { $0.queueProblem ?? $0.saveProblem }
  }

  /// What was kept of a profile's queue, after all that is still being written.
  func keptQueue(of profileID: String) async -> Result<[QueueEntry], OnsideError> {
    await state.withLock { $0.lastSave }?.value
    do throws(OnsideError) {
      guard let bytes = try await store.load(Self.queueName(profileID)) else {
        return .success([])
      }
      return .success(try KeptQueue.entries(bytes, of: profileID))
    } catch {
      return .failure(error)
    }
  }

  // MARK: The session

  private static let sessionName = "session"

  /// Keeps the session, after what was asked before. By whoever has the state, so that a logout
  /// comes before or after it.
  func keep(_ session: KeptSession, _ state: inout State) {
    let last = state.lastSave
    let revision = DispatchTime.now().uptimeNanoseconds
    state.lastSave = Task { [store] in
      await last?.value
      // A session that can't be kept is good until the process ends.
      try? await store.save(Self.sessionName, revision: revision, session.bytes)
    }
  }

  /// Forgets the kept session, after what was asked before. By whoever has the state.
  ///
  /// - Returns: what was kept, as soon as it isn't any more.
  @discardableResult
  func forgetKeptSession(_ state: inout State) -> Task<KeptSession?, Never> {
    let last = state.lastSave
    let removal = Task { [store] in
      await last?.value
      let kept = await keptSession()
      // What can't be removed is of no use once the service has ended the session.
      try? await store.remove(Self.sessionName)
      return kept
    }
    state.lastSave = Task { _ = await removal.value }
    return removal
  }

  func keptSession() async -> KeptSession? {
    guard let bytes = try? await store.load(Self.sessionName) else { return nil }
    return KeptSession(bytes, appID: backend.appID)
  }
}
