import Logging
import OnsideCatalogue

extension MarketplaceServer {
  /// Reads certificates, apps and catalogue again. What can't be used is logged with its reason,
  /// and what was in use stays; calls and connections go on.
  ///
  /// - Returns: True when everything was read.
  @discardableResult
  public func reload() async -> Bool {
    // The quick ones first: a large catalogue takes seconds.
    let certificates = certificates.reload()
    let apps = reloadApps()
    let catalogue = await reloadCatalogue()
    return certificates && apps && catalogue
  }

  private func reloadApps() -> Bool {
    guard let file = configuration.appsFile else { return true }
    do throws(AppsFileError) {
      let apps = try AppsFile.read(file)
      marketplace.replaceApps(with: apps)
      log.info("apps were read again", ["apps": .count(apps.apps.count)])
      return true
    } catch {
      log.reloadFailed("apps", "\(error)")
      return false
    }
  }

  private func reloadCatalogue() async -> Bool {
    guard !configuration.catalogue.isEmpty else { return true }
    do throws(CatalogueError) {
      let snapshot = try await CatalogueReading(log).read(configuration.catalogue)
      marketplace.replaceCatalogue(with: snapshot)
      return true
    } catch {
      log.reloadFailed("catalogue", "\(error)")
      return false
    }
  }
}
