public import RPC
public import RPCProto
import Synchronization

/// Tells load balancers, clients and people whether calls are answered: `rpc.v1.Health`.
///
/// ```swift
/// let health = HealthService(services: registry.services)
/// registry.add(health, authorization: HealthService.rules)
/// …
/// health.set(.notServing, for: "onside.v1.PaymentsService")
/// …
/// health.drain()
/// await server.drain(within: .seconds(30))
/// ```
public final class HealthService: RPCHealth {
  /// Everybody may ask: the answer tells nothing but whether calls are answered.
  public static let rules: [MethodDescriptor: AuthorizationRule] = [
    RPCHealthMethods.check: .anyone
  ]

  /// The name that stands for the server as a whole.
  public static let server = ""

  private let table: Mutex<HealthTable>

  /// Makes a service that says of these services, and of the server as a whole, that they serve.
  public init(services: [ServiceDescriptor]) {
    table = Mutex(HealthTable(services: services.map(\.name) + [Self.server]))
  }

  /// Says how a service is from now on. The server as a whole is asked for by the empty name, and
  /// isn't derived from its services.
  ///
  /// Once the server drains, nothing changes any more.
  public func set(_ status: RPCServingStatus, for service: String = HealthService.server) {
    table.withLock { _ = $0.set(status, for: service) }
  }

  /// How a service is; nil: there is no such service.
  public func status(of service: String = HealthService.server) -> RPCServingStatus? {
    table.withLock { $0.statuses[service] }
  }

  /// Says of all services that they don't serve, for good: the server is about to end.
  public func drain() {
    table.withLock { $0.drain() }
  }

  public func check(
    _ request: RPCHealthCheckRequest, context: ServerContext
  ) async throws -> RPCHealthCheckResponse {
    guard let status = status(of: request.service) else {
      throw RPCError(.notFound, "the server has no service \(Quoted(request.service))")
    }
    return RPCHealthCheckResponse(status: status)
  }
}
