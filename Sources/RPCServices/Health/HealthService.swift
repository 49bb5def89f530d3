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
    RPCHealthMethods.check: .anyone, RPCHealthMethods.watch: .anyone,
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
    table.withLock { $0.set(status, for: service) }
  }

  /// How a service is; nil: there is no such service.
  public func status(of service: String = HealthService.server) -> RPCServingStatus? {
    table.withLock { $0.statuses[service] }
  }

  /// How a service is, and each state that it changes to; states that nobody took are left out, but
  /// for the last. Ends when the server drains.
  public func changes(
    of service: String = HealthService.server
  ) -> AsyncStream<RPCServingStatus> {
    let (changes, continuation) = AsyncStream.makeStream(
      of: RPCServingStatus.self, bufferingPolicy: .bufferingNewest(1))
    guard let number = table.withLock({ $0.watch(service, continuation) }) else {
      continuation.finish()
      return changes
    }
    continuation.onTermination = { [weak self] _ in
      self?.table.withLock { $0.unwatch(number) }
    }
    return changes
  }

  /// How many want to know of changes now.
  public var watcherCount: Int { table.withLock { $0.watcherCount } }

  /// Says of all services that they don't serve, for good: the server is about to end. Calls of
  /// `Watch` end, so that nobody waits for them.
  public func drain() {
    // Finishing calls back, which takes the lock.
    for continuation in table.withLock({ $0.drain() }) { continuation.finish() }
  }

  /// Tells how a service is; NOT_FOUND for one that isn't there.
  public func check(
    _ request: RPCHealthCheckRequest, context: ServerContext
  ) async throws -> RPCHealthCheckResponse {
    guard let status = status(of: request.service) else {
      throw RPCError(.notFound, "the server has no service \(Quoted(request.service))")
    }
    return RPCHealthCheckResponse(status: status)
  }

  /// Tells how a service is, and each state that it changes to, until the server drains.
  public func watch(
    _ request: RPCHealthCheckRequest, responses: ResponseWriter<RPCHealthCheckResponse>,
    context: ServerContext
  ) async throws {
    guard request.service.utf8.count <= Self.maximumNameBytes else {
      throw RPCError(
        .invalidArgument,
        "the name of a service has at most \(Self.maximumNameBytes) bytes, this one has "
          + "\(request.service.utf8.count)")
    }
    for await status in changes(of: request.service) {
      try await responses.send(RPCHealthCheckResponse(status: status))
    }
  }

  /// A name is kept for as long as it is watched, and anybody may watch.
  private static let maximumNameBytes = 255
}
