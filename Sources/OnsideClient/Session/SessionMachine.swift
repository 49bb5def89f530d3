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

  /// Grows with each login, logout and loss of a session.
  private(set) var generation: UInt64 = 0

  // Three fields, and no enumeration whose payloads would be copied with each step.

  /// Who is signed in, unless a session was taken up; or who is signing in.
  private var user: Credential?

  /// Of who is signed in; nil while nobody is, or somebody is signing in.
  private var session: Session?
  private var isSigningIn = false

  /// Grows with each logout, also while nobody is signed in.
  private(set) var logouts: UInt64 = 0

  /// What is known of the user now.
  enum Current: Equatable {
    case signedOut

    /// Wait until the attempt under way is over, then ask again.
    case signingIn
    case signedIn(Session)
  }

  var current: Current {
    if let session { return .signedIn(session) }
    return isSigningIn ? .signingIn : .signedOut
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

    /// The user has logged out since this login was asked for.
    case overtaken
  }

  /// - Parameter logouts: How many logouts there were when the login was asked for; nil: it is
  ///   asked for now.
  mutating func begin(_ credential: Credential, after logouts: UInt64? = nil) -> Begin {
    if let logouts, logouts != self.logouts { return .overtaken }
    if let session { return user == credential ? .alreadySignedIn(session) : .refused }
    if isSigningIn { return user == credential ? .wait : .refused }
    generation += 1
    (user, isSigningIn) = (credential, true)
    return .start(Attempt(generation: generation))
  }

  /// An attempt got its session.
  ///
  /// - Returns: false if the attempt was overtaken, by a logout: the session has to be ended.
  mutating func finish(_ attempt: Attempt, with session: Session) -> Bool {
    guard attempt.generation == generation, isSigningIn else { return false }
    (self.session, isSigningIn) = (session, false)
    return true
  }

  /// An attempt came to nothing.
  mutating func fail(_ attempt: Attempt) {
    guard attempt.generation == generation, isSigningIn else { return }
    forget()
  }

  /// Takes up a session that was kept from earlier.
  ///
  /// - Returns: false if somebody is signed in, or is signing in.
  mutating func resume(_ session: Session) -> Bool {
    guard self.session == nil, !isSigningIn else { return false }
    generation += 1
    self.session = session
    return true
  }

  /// The user leaves. Whatever is under way is overtaken.
  ///
  /// - Returns: the session that has to be ended with the service.
  mutating func signOut() -> Session? {
    let session = session
    logouts += 1
    forget()
    return session
  }

  /// The service doesn't accept the session of a generation any more.
  mutating func lost(in generation: UInt64) {
    guard generation == self.generation, session != nil else { return }
    forget()
  }

  /// Nobody is here.
  private mutating func forget() {
    generation += 1
    (user, session, isSigningIn) = (nil, nil, false)
  }
}
