import RPC

extension Metadata {
  /// What the server says that a call took it, in nanoseconds; nil: it says nothing, or nothing
  /// that could be.
  var serviceNanoseconds: UInt64? {
    guard let text = first("onside-service-us"), let time = UInt64(text),
      time < 1_000_000_000_000
    else { return nil }
    return time * 1000
  }
}
