public import RPC
public import RPCCore
import RPCProto

/// Follows servers' own word, by the standard health service (`rpc.v1.Health`): a watch on each
/// connection, for as long as it takes calls.
///
/// A server that doesn't have the health service counts as serving; one whose watch fails, or that
/// doesn't know the service in question, as not serving.
public struct HealthWatching: HealthChecking {
  /// The full name of the service to ask for; empty: the server as a whole.
  public var service: String

  /// Between watches that end.
  public var backoff: Backoff

  /// Watches as it is told.
  ///
  /// - Parameters:
  ///   - service: The full name of the service to ask for; empty: the server as a whole.
  ///   - backoff: Between watches that end.
  public init(service: String = "", backoff: Backoff = Backoff(initial: .seconds(1))) {
    self.service = service
    self.backoff = backoff
  }

  public func watch(
    _ connection: any CallInvoker, report: @escaping @Sendable (_ isServing: Bool) -> Void
  ) async {
    let health = RPCHealthClient(connection)
    var failures = 0
    while !Task.isCancelled {
      do throws(RPCError) {
        for try await state in health.watch(RPCHealthCheckRequest(service: service)) {
          failures = 0
          report(state.status == .serving)
        }
      } catch {
        if error.code == .unimplemented { return }
      }
      report(false)
      failures += 1
      let delay = backoff.delay(afterFailures: failures, random: Double.random(in: 0..<1))
      guard (try? await Task.sleep(for: delay)) != nil else { return }
    }
  }
}
