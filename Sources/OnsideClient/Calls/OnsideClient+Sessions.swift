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
    while true {
      switch state.withLock({ $0.machine.begin(externalUserID: externalUserID) }) {
      case .start(let attempt):
        return try await signIn(externalUserID, attempt)
      case .wait:
        try await attemptEnded()
      case .alreadySignedIn:
        return try await profile()
      case .refused:
        throw OnsideError(
          .alreadySignedIn, "another user is signed in, or is signing in; log out first")
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
  /// - Throws: what kept the service from ending the session: its token stays good until it
  ///   expires, unless it is ended later.
  public func logOut() async throws(OnsideError) {
    let session = state.withLock { $0.machine.signOut() }
    wakeWaiters()
    guard let session else { return }
    do throws(OnsideError) {
      try await end(session)
    } catch {
      // The service has already forgotten it.
      if error.code != .sessionLost { throw error }
    }
  }

  private func signIn(
    _ user: String, _ attempt: SessionMachine.Attempt
  ) async throws(OnsideError) -> ProfileRecord {
    let session: Session
    let profile: ProfileRecord
    do throws(OnsideError) {
      session = try await openSession(user)
      profile = try await loadProfile(of: session)
    } catch {
      state.withLock { $0.machine.fail(attempt) }
      wakeWaiters()
      throw error
    }
    let isInstalled = state.withLock { $0.machine.finish(attempt, with: session) }
    wakeWaiters()
    guard isInstalled else {
      try? await end(session)
      throw OnsideError(.superseded, "the user logged out before the login was complete")
    }
    return profile
  }

  private func openSession(_ user: String) async throws(OnsideError) -> Session {
    let request = CreateSessionRequest(
      appID: configuration.appID, credential: .externalUserID(user),
      countryHint: configuration.countryHint ?? "")
    let options = try options(session: nil)
    let response: CreateSessionResponse
    do throws(RPCError) {
      response = try await login.createSession(request, options: options)
    } catch {
      throw OnsideError(error)
    }
    return Session(
      token: response.sessionToken, profileID: response.profileID,
      expiresAtMilliseconds: response.expiresAtMs)
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

  private func end(_ session: Session) async throws(OnsideError) {
    let options = try options(session: session)
    do throws(RPCError) {
      _ = try await login.endSession(EndSessionRequest(), options: options)
    } catch {
      throw OnsideError(error)
    }
  }
}
