public import RPC
import RPCProto

/// Asks servers through the standard health service (`rpc.v1.Health`) whether they serve, again and
/// again.
///
/// A server that doesn't have the health service counts as serving.
public struct HealthPolling: HealthChecking {
  /// The full name of the service to ask for; empty: the server as a whole.
  public var service: String

  /// From one answer to the next question.
  public var interval: Duration

  /// How long an answer may take; then the server counts as not serving.
  public var timeout: Duration

  /// Asks as it is told.
  ///
  /// - Parameters:
  ///   - service: The full name of the service to ask for; empty: the server as a whole.
  ///   - interval: From one answer to the next question.
  ///   - timeout: How long an answer may take.
  public init(
    service: String = "", interval: Duration = .seconds(5), timeout: Duration = .seconds(5)
  ) {
    self.service = service
    self.interval = interval
    self.timeout = timeout
  }

  public func watch(
    _ connection: any CallInvoker, report: @escaping @Sendable (_ isServing: Bool) -> Void
  ) async {
    let health = RPCHealthClient(connection)
    let options = CallOptions(timeout: timeout)
    while !Task.isCancelled {
      do throws(RPCError) {
        let answer = try await health.check(
          RPCHealthCheckRequest(service: service), options: options)
        report(answer.status == .serving)
      } catch {
        if error.code == .unimplemented { return }
        report(false)
      }
      guard (try? await Task.sleep(for: interval)) != nil else { return }
    }
  }
}
