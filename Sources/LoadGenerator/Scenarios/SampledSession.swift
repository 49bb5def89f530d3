import OnsideClient

/// A session that is looked at again after the load.
struct SampledSession: Sendable, Equatable {
  /// How many are kept of each loop.
  static let limit = 64

  var session: Session
  var user: UInt64
}

extension LoadLane {
  /// Keeps a session to be looked at again, unless there are enough.
  func keep(_ session: Session, of user: UInt64) {
    guard figures.sessions.count < SampledSession.limit else { return }
    figures.sessions.append(SampledSession(session: session, user: user))
  }
}
