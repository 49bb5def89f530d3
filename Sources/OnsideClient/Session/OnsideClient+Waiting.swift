import RPC
import Synchronization

extension OnsideClient {
  /// Makes a call as the user who is signed in, after a login that is under way.
  ///
  /// The answer is dropped when the user changed meanwhile.
  func asUser<Answer: Sendable>(
    _ call: (CallOptions) async throws(RPCError) -> Answer
  ) async throws(OnsideError) -> Answer {
    while true {
      let (current, generation) = state.withLock { ($0.machine.current, $0.machine.generation) }
      switch current {
      case .signedIn(let session):
        return try await perform(call, session: session, in: generation)
      case .signingIn:
        try await attemptEnded()
      case .signedOut:
        throw OnsideError(.notSignedIn, "this needs a session; log in first")
      }
    }
  }

  /// Makes a call as the user who is signed in, or as nobody. `isSignedIn` tells the call.
  func asAnybody<Answer: Sendable>(
    _ call: (_ options: CallOptions, _ isSignedIn: Bool) async throws(RPCError) -> Answer
  ) async throws(OnsideError) -> Answer {
    while true {
      let (current, generation) = state.withLock { ($0.machine.current, $0.machine.generation) }
      let session: Session?
      switch current {
      case .signedIn(let present): session = present
      case .signedOut: session = nil
      case .signingIn:
        try await attemptEnded()
        continue
      }
      return try await perform(
        { options throws(RPCError) in try await call(options, session != nil) },
        session: session, in: generation)
    }
  }

  private func perform<Answer: Sendable>(
    _ call: (CallOptions) async throws(RPCError) -> Answer, session: Session?,
    in generation: UInt64
  ) async throws(OnsideError) -> Answer {
    let options = try options(session: session)
    let result: Result<Answer, RPCError>
    do throws(RPCError) {
      result = .success(try await call(options))
    } catch {
      result = .failure(error)
    }
    guard sessionGeneration == generation else {
      throw .overtakenAnswer
    }
    switch result {
    case .success(let answer): return answer
    case .failure(let error):
      let problem = OnsideError(error)
      if problem.code == .sessionLost { state.withLock { $0.machine.lost(in: generation) } }
      throw problem
    }
  }

  /// What goes with a call: the session's token, or the app's key.
  func options(session: Session?) throws(OnsideError) -> CallOptions {
    var metadata = Metadata()
    do {
      if let session {
        try metadata.add("authorization", "Bearer \(session.token)")
      } else if let key = configuration.appKey {
        try metadata.add("onside-app-key", key)
      }
    } catch {
      throw OnsideError(
        .refused,
        session == nil
          ? "the app key has characters that no key has; copy it again"
          : "the kept session is damaged; log in again")
    }
    return CallOptions(timeout: configuration.timeout, metadata: metadata)
  }

  /// Waits until the login that is under way has ended, one way or the other.
  func attemptEnded() async throws(OnsideError) {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard case .signingIn = state.machine.current, !Task.isCancelled else { return true }
          state.waiters[id] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
    guard !Task.isCancelled else {
      throw OnsideError(.cancelled, "the caller's task was cancelled while it waited for a login")
    }
  }
}

extension OnsideClient.State {
  /// Those who wait for the login that was under way.
  mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    guard !waiters.isEmpty else { return [] }
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}

extension OnsideError {
  /// An answer for somebody who isn't there any more.
  static let overtakenAnswer = OnsideError(
    .superseded, "the user changed before the answer came; it was dropped")

  /// A session for somebody who isn't there any more.
  static let overtakenLogin = OnsideError(
    .superseded, "the user logged out before the login was complete")
}
