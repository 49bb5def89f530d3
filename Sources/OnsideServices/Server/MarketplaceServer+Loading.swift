import Logging
import OnsideCatalogue
import OnsideStore
import RPCTransport
import Synchronization

extension MarketplaceServer {
  static func readCertificates(
    _ configuration: MarketplaceServerConfiguration, _ log: Logger
  ) throws(StartError) -> CertificateReloads {
    do throws(TLSConfigurationError) {
      return try CertificateReloads(configuration.tls, log)
    } catch {
      throw StartError(.certificate, error.description)
    }
  }

  static func readApps(
    _ configuration: MarketplaceServerConfiguration, _ log: Logger
  ) throws(StartError) -> AppRegistry {
    guard let file = configuration.appsFile else {
      log.info(
        "no apps file was given: the example app is registered, without a key",
        ["app": .string(AppRegistry.example.apps[0].id)])
      return .example
    }
    do throws(AppsFileError) {
      let apps = try AppsFile.read(file)
      log.info("apps were read", ["file": .string(file), "apps": .count(apps.apps.count)])
      return apps
    } catch {
      throw StartError(.apps, error.description)
    }
  }

  /// Finds out whether the address can be listened on before anything lasting is done.
  static func checkAddress(_ configuration: MarketplaceServerConfiguration) throws(StartError) {
    do throws(ListenError) {
      try Listener.check(configuration.endpoint, options: configuration.listener)
    } catch {
      throw StartError(.address, error.description)
    }
  }

  static func openStore(
    _ configuration: MarketplaceServerConfiguration
  ) throws(StartError) -> any Store {
    do throws(StoreError) {
      return try configuration.store.open()
    } catch {
      throw StartError(.store, error.description)
    }
  }

  static func readCatalogue(
    _ configuration: MarketplaceServerConfiguration, _ log: Logger
  ) async throws(StartError) -> CatalogueHolder {
    guard !configuration.catalogue.isEmpty else {
      log.warning("no catalogue was given: nothing is sold; give files with --catalogue")
      return CatalogueHolder(.empty)
    }
    do throws(CatalogueError) {
      return CatalogueHolder(try await CatalogueReading(log).read(configuration.catalogue))
    } catch {
      throw StartError(.catalogue, error.description)
    }
  }
}

/// Reads catalogue files and logs how far it is.
struct CatalogueReading {
  private let log: Logger

  init(_ log: Logger) {
    self.log = log
  }

  func read(_ sources: [CatalogueSource]) async throws(CatalogueError) -> CatalogueSnapshot {
    let log = log
    let loader = CatalogueLoader { progress in
      log.log(
        .info, "reading the catalogue",
        [
          "file": .string(progress.file), "products": .count(progress.products),
          "bytes": .count(progress.bytesRead), "of": .count(progress.byteCount ?? 0),
        ], key: "catalogue progress", every: .seconds(2))
    }
    let read = try await loader.load(inBackground: sources)
    for note in read.notes.prefix(Self.shownNotes) {
      log.warning("catalogue", ["note": .describing(note)])
    }
    if read.notes.count > Self.shownNotes {
      log.warning(
        "catalogue: more notes", ["count": .count(read.notes.count - Self.shownNotes)])
    }
    log.info(
      "the catalogue was read",
      [
        "apps": .count(read.snapshot.apps.count), "products": .count(read.snapshot.productCount),
        "bytes": .count(read.snapshot.byteCount),
      ])
    return read.snapshot
  }

  private static let shownNotes = 20
}
