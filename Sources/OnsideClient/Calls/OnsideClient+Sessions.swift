import OnsideProto
import RPC
import Synchronization

extension OnsideClient {
  /// Signs a user in with the app's own identifier: opens a session and loads its profile.
  ///
  /// Two calls for the same user at the same moment make one session. A user who is signed in
  /// already keeps the session.
  ///
  /// - Parameter externalUserID: 1 to 255 bytes without control characters. An empty one is sent as
  ///   it is, and the service refuses it.
  /// - Throws: `alreadySignedIn` when another user is; `refused` with the service's reason;
  ///   `profileUnavailable` when the session was made but its profile can't be loaded: that session
  ///   is ended again; `superseded` after a logout in between.
  @discardableResult
  public func logIn(externalUserID: String) async throws(OnsideError) -> ProfileRecord {
    try await logIn(with: .externalUserID(externalUserID))
  }

  /// Signs a user in: opens a session and loads its profile.
  ///
  /// Two calls with the same credential at the same moment make one session. A user who is signed
  /// in with it already keeps the session.
  ///
  /// - Throws: As `logIn(externalUserID:)`.
  @discardableResult
  public func logIn(
    with credential: Credential, countryHint: String? = nil
  ) async throws(OnsideError) -> ProfileRecord {
    try await logIn(with: credential, countryHint: countryHint, after: nil)
  }

  /// As above, unless there was a logout since `logouts` were counted: `superseded` then.
  func logIn(
    with credential: Credential, countryHint: String?, after logouts: UInt64?
  ) async throws(OnsideError) -> ProfileRecord {
    while true {
      switch state.withLock({ $0.machine.begin(credential, after: logouts) }) {
      case .start(let attempt):
        return try await signIn(credential, countryHint, attempt)
      case .wait:
        try await attemptEnded()
      case .alreadySignedIn:
        return try await profile()
      case .refused:
        throw OnsideError(
          .alreadySignedIn, "another user is signed in, or is signing in; log out first")
      case .overtaken:
        throw .overtakenLogin
      }
    }
  }

  /// Takes up a session that was kept from an earlier run. Whether it is still accepted shows with
  /// the next call.
  ///
  /// - Throws: `alreadySignedIn`.
  public func resume(_ session: Session) throws(OnsideError) {
    guard state.withLock({ $0.machine.resume(session) }) else {
      throw OnsideError(.alreadySignedIn, "a user is signed in already; log out first")
    }
  }

  /// The profile of the user who is signed in.
  ///
  /// - Throws: `notSignedIn`, and whatever a call can fail with.
  public func profile() async throws(OnsideError) -> ProfileRecord {
    let response = try await asUser { [login] options throws(RPCError) in
      try await login.getProfile(GetProfileRequest(), options: options)
    }
    return try ProfileRecord(response.profile)
  }

  /// Signs the user out. Calls that are under way fail with `superseded`.
  ///
  /// The client forgets the user at once, whatever happens afterwards.
  ///
  /// - Throws: what kept the service from ending the session. It is tried again after the next
  ///   login of this client; else its token stays good until it expires.
  public func logOut() async throws(OnsideError) {
    guard let session = forgetSession() else { return }
    do throws(OnsideError) {
      try await end(session)
    } catch {
      // The service has already forgotten it.
      if error.code != .sessionLost { throw error }
    }
  }

  /// Forgets the user at once.
  ///
  /// - Returns: the session that has to be ended with the service.
  func forgetSession() -> Session? {
    let (session, waiters) = state.withLock { ($0.machine.signOut(), $0.takeWaiters()) }
    for waiter in waiters { waiter.resume() }
    return session
  }

  /// Forgets the user at once, and tells the service nothing: the session stays good there until it
  /// expires, and `resume(_:)` takes it up again. Calls that are under way fail with `superseded`.
  ///
  /// - Returns: the session; nil: nobody was signed in.
  @discardableResult
  public func abandonSession() -> Session? { forgetSession() }

  /// How many logouts there were.
  var logouts: UInt64 { state.withLock { $0.machine.logouts } }

  private func signIn(
    _ credential: Credential, _ countryHint: String?, _ attempt: SessionMachine.Attempt
  ) async throws(OnsideError) -> ProfileRecord {
    let session: Session
    let profile: ProfileRecord
    do throws(OnsideError) {
      session = try await openSession(credential, countryHint)
      profile = try await loadProfile(of: session)
    } catch {
      fail(attempt)
      throw error
    }
    guard finish(attempt, with: session) else {
      try? await end(session)
      throw .overtakenLogin
    }
    return profile
  }

  /// An attempt got its session; whoever waits for it goes on.
  ///
  /// - Returns: false if the attempt was overtaken, by a logout: the session has to be ended.
  func finish(_ attempt: SessionMachine.Attempt, with session: Session) -> Bool {
    let (isInstalled, waiters, leftOver) = state.withLock { state in
      let isInstalled = state.machine.finish(attempt, with: session)
      return (isInstalled, state.takeWaiters(), isInstalled ? state.takeLeftOver() : [])
    }
    for waiter in waiters { waiter.resume() }
    // The service answers again: what couldn't be ended is ended, and nobody waits for it.
    if !leftOver.isEmpty { Task { for session in leftOver { try? await end(session) } } }
    return isInstalled
  }

  /// An attempt came to nothing; whoever waits for it goes on.
  func fail(_ attempt: SessionMachine.Attempt) {
    let waiters = state.withLock { state in
      state.machine.fail(attempt)
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }

  private func openSession(
    _ credential: Credential, _ countryHint: String?
  ) async throws(OnsideError) -> Session {
    let request = CreateSessionRequest(
      appID: configuration.appID, credential: credential.message,
      countryHint: countryHint ?? configuration.countryHint ?? "")
    let options = try options(session: nil)
    let response: CreateSessionResponse
    do throws(RPCError) {
      response = try await login.createSession(request, options: options)
    } catch {
      throw OnsideError(error)
    }
    return Session(response)
  }

  /// The half-made session is ended when its profile can't be loaded, and never used.
  private func loadProfile(of session: Session) async throws(OnsideError) -> ProfileRecord {
    do throws(OnsideError) {
      return try await askProfile(of: session)
    } catch {
      try? await end(session)
      throw OnsideError(
        .profileUnavailable,
        "the session was opened, but its profile can't be loaded: \(error.message)",
        reason: error.reason, values: error.values, cause: error.cause)
    }
  }

  private func askProfile(of session: Session) async throws(OnsideError) -> ProfileRecord {
    let options = try options(session: session)
    let response: GetProfileResponse
    do throws(RPCError) {
      response = try await login.getProfile(GetProfileRequest(), options: options)
    } catch {
      throw OnsideError(error)
    }
    return try ProfileRecord(response.profile)
  }

  /// Ends a session with the service. One that can't be ended now is ended after the next login.
  func end(_ session: Session) async throws(OnsideError) {
    let options = try options(session: session)
    do throws(RPCError) {
      _ = try await login.endSession(EndSessionRequest(), options: options)
      state.withLock { state in state.leftOver.removeAll { $0 == session } }
    } catch {
      let problem = OnsideError(error)
      if problem.code != .sessionLost { state.withLock { $0.leave(session) } }
      throw problem
    }
  }
}

extension OnsideClient.State {
  /// The most sessions that are remembered: one for each login that went wrong in a row.
  private static let maximumLeftOver = 16

  fileprivate mutating func leave(_ session: Session) {
    guard !leftOver.contains(session) else { return }
    if leftOver.count == Self.maximumLeftOver { leftOver.removeFirst() }
    leftOver.append(session)
  }

  /// Sessions that nobody else is going to end.
  fileprivate mutating func takeLeftOver() -> [Session] {
    guard !leftOver.isEmpty else { return [] }
    defer { leftOver = [] }
    return leftOver
  }
}

extension Session {
  /// A session, as the service answers with it.
  init(_ response: CreateSessionResponse) {
    self.init(
      token: response.sessionToken, profileID: response.profileID,
      expiresAtMilliseconds: response.expiresAtMs)
  }
}

extension Credential {
  fileprivate var message: CreateSessionRequest.Credential {
    switch self {
    case .externalUserID(let identifier): .externalUserID(identifier)
    case .phone(let challengeID, let code):
      .phone(PhoneCredential(challengeID: challengeID, code: code))
    case .store(let loginID, let code): .store(StoreCredential(loginID: loginID, code: code))
    }
  }
}
