/// Why nobody waits for a handler any more.
public enum CallCancellation: Sendable, Hashable {
  /// The caller cancelled the call.
  case byCaller

  /// The call's deadline passed; the caller was told DEADLINE_EXCEEDED.
  case deadlineExceeded

  /// The connection to the caller ended.
  case connectionLost
}
