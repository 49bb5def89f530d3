import OnsideProto
import OnsideStore
import ProtobufReflection
import RPC
import RPCServices

extension MarketplaceServer {
  /// Adds what every server has beside its own services: health, and reflection if it is wanted.
  static func addCommonServices(
    to registry: inout MethodRegistry, _ configuration: MarketplaceServerConfiguration
  ) throws(StartError) -> HealthService {
    let health = HealthService(services: registry.services)
    registry.add(health, authorization: HealthService.rules)
    guard configuration.offersReflection else { return health }
    do throws(DescriptorError) {
      try registry.addReflection(authorization: .anyone)
    } catch {
      throw StartError(.fault, error.description)
    }
    return health
  }

  /// Adds what tells administrators how the server is. Where nobody is one, nobody can ask.
  static func addOperations(
    to registry: inout MethodRegistry, _ configuration: MarketplaceServerConfiguration,
    _ store: any Store, loops: Int
  ) -> OperationsHandlers? {
    let administrators = configuration.marketplace.administrators
    guard !administrators.isEmpty else { return nil }
    let operations = OperationsHandlers(
      version: configuration.version, loops: loops, store: store,
      clock: configuration.marketplace.clock)
    registry.add(operations, authorization: OperationsHandlers.rules(administrators))
    // It reads files under /proc, which takes a while where there are many connections.
    registry.offload(OperationsServiceMethods.getServerStatus)
    return operations
  }
}
