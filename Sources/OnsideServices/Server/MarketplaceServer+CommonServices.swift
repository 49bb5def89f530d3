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
}
