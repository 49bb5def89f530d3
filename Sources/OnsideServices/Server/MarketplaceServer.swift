public import Logging
import OnsideCatalogue
import OnsideStore
import RPC
import RPCServer
public import RPCServices
public import RPCTransport

/// The marketplace on the network: store, catalogue, services, listener and background duties of
/// one server, from start to drain.
///
/// ```swift
/// let server = try await MarketplaceServer.start(configuration, group: group, log: log)
/// print("listening on \(server.address)")
/// …
/// await server.drain(within: .seconds(30))
/// ```
public final class MarketplaceServer: Sendable {
  let configuration: MarketplaceServerConfiguration
  let certificates: CertificateReloads
  let server: Server
  let duties: Duties
  let store: any Store
  let log: Logger

  /// Its services.
  public let marketplace: Marketplace

  /// Whether its services answer, as `rpc.v1.Health` says it.
  public let health: HealthService

  /// Where it listens.
  public let listener: Listener

  /// What clients connect to: `HOST:PORT`, or `unix:PATH`.
  public var address: String { listener.localAddress.description }

  /// Loads everything, then listens.
  ///
  /// Whatever can be wrong is found in this order: certificates, apps, address, catalogue, store.
  /// The store isn't touched before the rest is known to be right.
  ///
  /// - Parameters:
  ///   - configuration: Files, address and limits.
  ///   - group: The event loops to serve on; not shut down by the server.
  ///   - log: Gets what operators should know.
  /// - Throws: `StartError`; nothing is left running then.
  public static func start(
    _ configuration: MarketplaceServerConfiguration, group: EventLoopGroup, log: Logger
  ) async throws(StartError) -> MarketplaceServer {
    let certificates = try readCertificates(configuration, log)
    var marketplace = configuration.marketplace
    marketplace.apps = try readApps(configuration, log)
    try checkAddress(configuration)
    let catalogue = try await readCatalogue(configuration, log)
    let store = try openStore(configuration)
    do throws(StartError) {
      return try await start(configuration, marketplace, certificates, catalogue, store, group, log)
    } catch {
      await store.close()
      throw error
    }
  }

  private static func start(
    _ configuration: MarketplaceServerConfiguration, _ services: MarketplaceConfiguration,
    _ certificates: CertificateReloads, _ catalogue: CatalogueHolder, _ store: any Store,
    _ group: EventLoopGroup, _ log: Logger
  ) async throws(StartError) -> MarketplaceServer {
    let marketplace: Marketplace
    do throws(StoreError) {
      marketplace = try await Marketplace(
        store: store, catalogue: catalogue, loops: group.loops.count, configuration: services,
        log: log)
    } catch {
      throw StartError(.store, error.description)
    }
    var registry = MethodRegistry()
    marketplace.register(in: &registry)
    let health = try addCommonServices(to: &registry, configuration)
    let operations = addOperations(to: &registry, configuration, store, loops: group.loops.count)
    let server: Server
    do throws(RegistrationError) {
      server = try Server(
        registry, configuration: configuration.server.logging(to: log), group: group)
    } catch {
      throw StartError(.fault, error.description)
    }
    operations?.tell(of: server)
    let options = try configuration.listener.logging(to: log).fitting(
      descriptors: DescriptorLimit.current, loops: group.loops.count, log)
    do throws(ListenError) {
      let listener = try server.listen(
        on: configuration.endpoint, tls: certificates.tls, options: options)
      return MarketplaceServer(
        configuration, marketplace, health, certificates, server, listener, store, log)
    } catch {
      throw StartError(.address, error.description)
    }
  }

  private init(
    _ configuration: MarketplaceServerConfiguration, _ marketplace: Marketplace,
    _ health: HealthService, _ certificates: CertificateReloads, _ server: Server,
    _ listener: Listener, _ store: any Store, _ log: Logger
  ) {
    self.configuration = configuration
    self.marketplace = marketplace
    self.health = health
    self.certificates = certificates
    self.server = server
    self.listener = listener
    self.store = store
    self.log = log
    var duties: [Duties.Duty] = [
      .init(interval: configuration.refreshInterval) { await marketplace.maintainSessions() },
      .init(interval: .seconds(60)) { await marketplace.resolveLeftPurchases() },
      .init(interval: .seconds(600)) { await marketplace.purge() },
      .init(interval: .seconds(3_600)) { await marketplace.maintainSigningKeys() },
      .init(interval: .seconds(1)) { marketplace.endExpiredWatches() },
      .init(interval: .seconds(60)) { log.reportSuppressed() },
    ]
    if let interval = configuration.certificateCheckInterval {
      duties.append(.init(interval: interval) { certificates.check() })
    }
    self.duties = Duties(duties)
  }

  /// Stops listening, lets the calls that were accepted end, ends the duties and closes the store.
  ///
  /// - Parameter limit: The longest wait for calls; those that run longer are lost.
  /// - Returns: True when every accepted call has ended within it.
  @discardableResult
  public func drain(within limit: Duration) async -> Bool {
    health.drain()
    marketplace.drain()
    let isClean = await server.drain(within: limit)
    await duties.stop()
    await store.close()
    return isClean
  }
}
