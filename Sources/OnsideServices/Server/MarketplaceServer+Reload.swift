import Logging
import OnsideCatalogue
import RPCTransport

extension MarketplaceServer {
  /// Reads certificates, apps and catalogue again. What can't be used is logged with its reason,
  /// and what was in use stays; calls and connections go on.
  ///
  /// - Returns: True when everything was read.
  @discardableResult
  public func reload() async -> Bool {
    // The quick ones first: a large catalogue takes seconds.
    let certificates = reloadCertificates()
    let apps = reloadApps()
    let catalogue = await reloadCatalogue()
    return certificates && apps && catalogue
  }

  private func reloadCertificates() -> Bool {
    do throws(TLSConfigurationError) {
      try tls.reload()
      log.info("certificates were read again", ["serial": .string(tls.certificateSerial)])
      return true
    } catch {
      return keep("certificates", "\(error)")
    }
  }

  private func reloadApps() -> Bool {
    guard let file = configuration.appsFile else { return true }
    do throws(AppsFileError) {
      let apps = try AppsFile.read(file)
      marketplace.replaceApps(with: apps)
      log.info("apps were read again", ["apps": .count(apps.apps.count)])
      return true
    } catch {
      return keep("apps", "\(error)")
    }
  }

  private func reloadCatalogue() async -> Bool {
    guard !configuration.catalogue.isEmpty else { return true }
    do throws(CatalogueError) {
      let snapshot = try await CatalogueReading(log).read(configuration.catalogue)
      marketplace.replaceCatalogue(with: snapshot)
      return true
    } catch {
      return keep("catalogue", "\(error)")
    }
  }

  private func keep(_ what: String, _ reason: String) -> Bool {
    log.error(
      "reload failed: what was in use stays",
      ["what": .string(what), "reason": .string(reason)])
    return false
  }
}
