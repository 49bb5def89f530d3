public import RPC

/// Asks servers whether they serve, so that a client doesn't send calls to one that says no.
public protocol HealthChecking: Sendable {
  /// Follows what the server of one connection says about itself.
  ///
  /// It runs in a task of its own, which is cancelled when the connection takes no calls any more,
  /// and may return before; then what was reported last holds. A server counts as not serving until
  /// the first report, and as serving when this returns without one: it knows nothing of health.
  ///
  /// - Parameters:
  ///   - connection: Makes calls on that connection and no other.
  ///   - report: To be called, from any thread, each time that the server's word changes.
  func watch(
    _ connection: any CallInvoker, report: @escaping @Sendable (_ isServing: Bool) -> Void
  ) async
}
