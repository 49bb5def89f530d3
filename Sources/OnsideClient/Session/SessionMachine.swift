/// Who is signed in, and what an answer that comes late may still do.
///
/// The *generation* grows with each change of the user. An answer is applied only in the generation
/// that asked for it, so that nothing of one user ever reaches another. Pure: events go in, small
/// results come out.
struct SessionMachine {
  /// One attempt to sign in.
  struct Attempt: Equatable {
    let generation: UInt64
  }

  private enum State {
    case signedOut
    case signingIn(externalUserID: String)
    case signedIn(Session, externalUserID: String?)
  }

  /// Grows with each login, logout and loss of a session.
  private(set) var generation: UInt64 = 0
  private var state = State.signedOut

  /// What is known of the user now.
  enum Current: Equatable {
    case signedOut

    /// Wait until the attempt under way is over, then ask again.
    case signingIn
    case signedIn(Session)
  }

  var current: Current {
    switch state {
    case .signedOut: .signedOut
    case .signingIn: .signingIn
    case .signedIn(let session, _): .signedIn(session)
    }
  }

  /// What to do about a wish to sign in.
  enum Begin: Equatable {
    /// Sign in, and say with `finish` or `fail` how it went.
    case start(Attempt)

    /// The same user is signing in: wait for that attempt, then ask again.
    case wait

    /// The user is signed in already.
    case alreadySignedIn(Session)

    /// Another user is, or is about to be.
    case refused
  }

  mutating func begin(externalUserID: String) -> Begin {
    switch state {
    case .signedOut:
      generation += 1
      state = .signingIn(externalUserID: externalUserID)
      return .start(Attempt(generation: generation))
    case .signingIn(let other):
      return other == externalUserID ? .wait : .refused
    case .signedIn(let session, let other):
      return other == externalUserID ? .alreadySignedIn(session) : .refused
    }
  }

  /// An attempt got its session.
  ///
  /// - Returns: false if the attempt was overtaken, by a logout: the session has to be ended.
  mutating func finish(_ attempt: Attempt, with session: Session) -> Bool {
    guard attempt.generation == generation, case .signingIn(let user) = state else { return false }
    state = .signedIn(session, externalUserID: user)
    return true
  }

  /// An attempt came to nothing.
  mutating func fail(_ attempt: Attempt) {
    guard attempt.generation == generation, case .signingIn = state else { return }
    generation += 1
    state = .signedOut
  }

  /// Takes up a session that was kept from earlier.
  ///
  /// - Returns: false if somebody is signed in, or is signing in.
  mutating func resume(_ session: Session) -> Bool {
    guard case .signedOut = state else { return false }
    generation += 1
    state = .signedIn(session, externalUserID: nil)
    return true
  }

  /// The user leaves. Whatever is under way is overtaken.
  ///
  /// - Returns: the session that has to be ended with the service.
  mutating func signOut() -> Session? {
    defer {
      generation += 1
      state = .signedOut
    }
    guard case .signedIn(let session, _) = state else { return nil }
    return session
  }

  /// The service doesn't accept the session of a generation any more.
  mutating func lost(in generation: UInt64) {
    guard generation == self.generation, case .signedIn = state else { return }
    self.generation += 1
    state = .signedOut
  }
}
