import Foundation
import OnsideClient

extension Runtime {
  /// A marketplace of a `.storekit` file. External login isn't simulated there, so no delegate is
  /// asked for an account.
  func startLocally(_ name: String, _ edition: any OnsideEdition.Type) {
    let (environment, folder) = (environment(), folder())
    start { runtime throws(OnsideConfigurationError) in
      let settings = try Settings(environment, folder: folder)
      let presenter = try OnsideConfiguration.presenter(settings)
      let path = try StoreKitFile.path(of: name, folder: folder)
      do throws(OnsideError) {
        let marketplace = try Marketplace(
          storeKitFile: path, appID: settings[.appID] ?? Bundle.main.bundleIdentifier ?? name,
          presenter: runtime.presenter(presenter, edition),
          configuration: .init(
            callbackScheme: runtime.callbackScheme, stateDirectory: settings[.stateFolder]))
        return (marketplace, nil)
      } catch {
        throw OnsideConfigurationError(error.message)
      }
    }
  }
}
