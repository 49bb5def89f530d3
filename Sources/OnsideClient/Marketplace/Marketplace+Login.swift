import OnsideDomain
import Synchronization

extension Marketplace {
  /// Signs the user in: with the app's own account first, then as the host says.
  ///
  /// A user who is signed in stays so, and nobody is asked. Calls at the same moment share one
  /// login.
  ///
  /// - Throws: `loginDiscarded`; `superseded` after a logout in between.
  public func logIn() async throws(OnsideError) {
    _ = try await signedIn()
  }

  /// The user who is signed in, after a login if it needs one.
  func signedIn() async throws(OnsideError) -> SignedIn {
    await started.value
    let result: OneShot<Result<SignedIn, OnsideError>> = state.withLock { state in
      if let profile = state.profile {
        let present = OneShot<Result<SignedIn, OnsideError>>()
        present.resolve(.success(SignedIn(profile: profile, run: state.run)))
        return present
      }
      if let login = state.login { return login.result }
      return beginLogin(&state)
    }
    return try await result.value.get()
  }

  private func beginLogin(_ state: inout State) -> OneShot<Result<SignedIn, OnsideError>> {
    let result = OneShot<Result<SignedIn, OnsideError>>()
    guard !state.isClosed else {
      result.resolve(.failure(Self.closed))
      return result
    }
    let attempt = LoginAttempt(
      id: state.makeID(), logouts: backend.logouts, host: state.host,
      flow: LoginFlow(
        appID: backend.appID, hasExternalAccounts: state.host.externalAccount != nil,
        isLocalTesting: backend.isLocal))
    state.login = RunningLogin(id: attempt.id, result: result)
    state.login?.task = Task {
      result.resolve(await run(attempt))
      self.state.withLock { if $0.login?.id == attempt.id { $0.login = nil } }
    }
    return result
  }

  /// One login from its first step to its last.
  private func run(_ attempt: LoginAttempt) async -> Result<SignedIn, OnsideError> {
    var flow = attempt.flow
    var step = flow.start()
    while true {
      switch step {
      case .signedIn(let profile): return await install(profile, attempt.id)
      case .discarded(let error): return .failure(error)
      default:
        let answer = await perform(step, attempt)
        guard isCurrent(login: attempt.id) else { return .failure(Self.loggedOut) }
        step = flow.take(answer)
      }
    }
  }

  static let loggedOut = OnsideError(
    .superseded, "the user logged out before the login was complete")

  func isCurrent(login id: UInt64) -> Bool {
    state.withLock { $0.login?.id == id && !$0.isClosed }
  }

  /// A user came: from now on everything is the user's.
  func install(
    _ profile: ProfileRecord, _ login: UInt64
  ) async -> Result<SignedIn, OnsideError> {
    let kept = await keptQueue(of: profile.id)
    let session = backend.session
    let run: UInt64? = update { state in
      guard state.login?.id == login, !state.isClosed else { return nil }
      state.login = nil
      Self.signIn(&state, profile, kept)
      if let session { keep(KeptSession(session: session, profile: profile), &state) }
      return state.run
    }
    guard let run else { return .failure(Self.loggedOut) }
    spawn(in: run) { await $0.watch(in: run) }
    return .success(SignedIn(profile: profile, run: run))
  }

  private static func signIn(
    _ state: inout State, _ profile: ProfileRecord, _ kept: Result<[QueueEntry], OnsideError>
  ) {
    state.run += 1
    state.profile = profile
    state.queue.tell(.userChanged(from: nil, to: profile))
    state.queue.tell(.storefrontChanged(profile.storefront))
    switch kept {
    case .success(let entries):
      state.queueProblem = nil
      state.queue.signIn(entries)
    case .failure(let error):
      // What can't be read isn't written over.
      state.queueProblem = error
      state.queue.signIn([])
    }
    state.savedRevision = state.queue.revision
  }

  /// Takes up the session that was kept from an earlier run of the app, unless there was a logout
  /// since `logouts` were counted.
  func takeUpKeptSession(after logouts: UInt64) async {
    defer { started.resolve(()) }
    guard let kept = await keptSession() else { return }
    let login: UInt64? = state.withLock { state in
      guard backend.logouts == logouts, (try? backend.resume(kept.session)) != nil else {
        return nil
      }
      let id = state.makeID()
      state.login = RunningLogin(id: id, result: OneShot())
      return id
    }
    guard let login else { return }
    let result = await install(kept.profile, login)
    state.withLock { state in
      guard state.login?.id == login else { return }
      state.login?.result.resolve(result)
      state.login = nil
    }
  }
}

/// One run through the sequence of a login.
struct LoginAttempt: Sendable {
  let id: UInt64

  /// How many logouts there were when it began.
  let logouts: UInt64
  let host: MarketplaceHost
  let flow: LoginFlow
}
