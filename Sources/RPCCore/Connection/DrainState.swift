/// How far the end of a connection's service has come.
enum DrainState: Equatable {
  /// Calls are taken.
  case none
  /// Server: the notice is out; calls are still taken until its PING is answered or time is up.
  case announced(until: MonotonicInstant, isPingSent: Bool)
  /// Calls above this id aren't taken. A client that began the drain itself opens none.
  case final(last: UInt32)
}
