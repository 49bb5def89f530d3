import Foundation
import OnsideClient

extension Runtime {
  /// A marketplace of the service.
  func startWithService(
    _ configuration: () throws(OnsideConfigurationError) -> OnsideConfiguration,
    _ edition: any OnsideEdition.Type
  ) {
    start { runtime throws(OnsideConfigurationError) in
      let configuration = try configuration()
      let connection = try Connection(configuration)
      let client = OnsideClient(
        invoker: connection.client,
        configuration: .init(
          appID: configuration.appID, appKey: configuration.appKey,
          countryHint: configuration.country))
      let presenter = runtime.presenter(configuration.presenter, edition)
      do throws(OnsideError) {
        let marketplace = try Marketplace(
          client: client, presenter: presenter,
          configuration: .init(
            callbackScheme: runtime.callbackScheme,
            stateDirectory: configuration.stateFolder))
        return (marketplace, connection)
      } catch {
        Task { await connection.close() }
        throw OnsideConfigurationError(error.message)
      }
    }
  }
}
