/// What happened to a call that may be attempted more than once.
public enum AttemptEvent: Sendable, Hashable {
  /// The call begins.
  case start
  /// An attempt was answered with OK.
  case succeeded
  /// An attempt failed.
  case failed(AttemptFailure)
  /// The instant that the last action gave has come.
  case timerFired
  /// The caller gave the call up.
  case cancelled
}
