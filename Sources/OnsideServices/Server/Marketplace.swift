public import Logging
public import OnsideCatalogue
import OnsideDomain
import OnsideProto
public import OnsideStore
import RPC

/// The services of the marketplace over a store and a catalogue, without a transport.
///
/// ```swift
/// let marketplace = try await Marketplace(store: store, catalogue: catalogue, loops: 2, log: log)
/// var registry = MethodRegistry()
/// marketplace.register(in: &registry)
/// ```
public final class Marketplace: Sendable {
  let configuration: MarketplaceConfiguration
  let store: any Store
  let gate: AppGate
  let sessions: Sessions
  let purchases: PurchaseFlow
  let payments: PaymentsHandlers
  let products: ProductsHandlers
  let login: LoginHandlers
  let log: Logger

  /// The catalogue in use; `replaceCatalogue` puts another one in its place.
  public let catalogue: CatalogueHolder

  /// Makes the services ready to answer: reads the session keys and the ended sessions, makes a key
  /// if there is none, and finds out the outcomes of purchases that were left without one.
  ///
  /// - Parameters:
  ///   - store: Where everything is kept; the marketplace doesn't close it.
  ///   - catalogue: What is sold; replaced from outside.
  ///   - loops: How many event loops calls come in on.
  ///   - configuration: Limits, apps, processor, clocks.
  ///   - log: Gets what operators should know.
  /// - Throws: `StoreError` when the store can't be read or written.
  public init(
    store: any Store, catalogue: CatalogueHolder, loops: Int = 1,
    configuration: MarketplaceConfiguration = MarketplaceConfiguration(), log: Logger
  ) async throws(StoreError) {
    let clock = configuration.clock
    self.configuration = configuration
    self.store = store
    self.catalogue = catalogue
    self.log = log
    gate = AppGate(configuration.apps, clock: clock, log: log)
    let authority = SessionAuthority(
      store: store, policy: configuration.tokenPolicy, clock: clock.wall)
    try await authority.start()
    let watches = Watches(store: store, revocations: authority.revocations, clock: clock)
    sessions = Sessions(authority, gate: gate, watches: watches, clock: clock, loops: loops)
    try await sessions.refreshStorefronts()
    purchases = PurchaseFlow(
      store: store, catalogue: catalogue, processor: configuration.processor, clock: clock,
      log: log)
    payments = PaymentsHandlers(
      flow: purchases, watches: watches,
      history: HistorySigner(store: store, clock: clock, issuer: configuration.historyIssuer))
    try await payments.history.maintain()
    products = ProductsHandlers(
      catalogue: catalogue, gate: gate, loops: loops,
      maximumIdentifiers: configuration.maximumProductIdentifiers)
    login = LoginHandlers(
      gate: gate, sessions: sessions,
      profiles: ProfileCache(capacity: configuration.profileCacheCapacity), store: store,
      catalogue: catalogue, clock: clock,
      phones: PhoneLogins(
        configuration.phoneLogin, gateway: configuration.phoneGateway, clock: clock, log: log),
      storeLogins: StoreLogins(configuration.storeLogin, clock: clock))
    try await resolveAtStart()
  }

  private func resolveAtStart() async throws(StoreError) {
    let deadline = configuration.clock.monotonic().advanced(by: configuration.resolvingTime)
    // Twice and once more: a processor that was down for a moment has come back by then.
    let report = try await purchases.resolveUnresolved(attempts: 3, until: deadline)
    guard report.resolved + report.unresolved > 0 else { return }
    log.info(
      "purchases without an outcome were found",
      ["resolved": .count(report.resolved), "left": .count(report.unresolved)])
  }

  /// Puts another catalogue in place of the one in use. Calls in progress keep theirs; nothing else
  /// holds it afterwards.
  public func replaceCatalogue(with snapshot: CatalogueSnapshot) {
    catalogue.replace(with: snapshot)
    products.refresh()
  }

  /// The apps that may use the services.
  public var apps: AppRegistry { gate.apps }

  /// Puts other apps in their place. Sessions that were begun stay.
  public func replaceApps(with apps: AppRegistry) {
    gate.replace(with: apps)
  }
}

extension Marketplace {
  /// Begins a session of a profile in a registered app, without a login: for tests.
  ///
  /// - Returns: The session's token.
  /// - Throws: `APP_NOT_REGISTERED`; INTERNAL when no key can seal a token.
  package func beginSession(
    of profile: ProfileRecord, inApp appID: String
  ) throws(RPCError) -> String {
    guard let app = gate.apps.find(appID) else {
      throw RPCError(.appNotRegistered, "no app \(Escaping.quoted(appID)) is registered")
    }
    return try sessions.begin(profile, app: app, loop: nil).token
  }
}
