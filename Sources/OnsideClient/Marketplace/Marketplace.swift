import Glibc
public import OnsideDomain
import Synchronization

/// The marketplace as an app uses it: who is signed in, what can be bought, and what was.
///
/// It signs the user in when something needs it, keeps the payment queue, also on disk, and shows
/// its screens through a presenter. Any number can live in one process, one for each app and user;
/// every function may be called from any thread, and none blocks. An instance works, and lives,
/// until `close()`.
///
/// ```swift
/// let marketplace = Marketplace(client: client, presenter: presenter)
/// marketplace.host.externalAccount = { await account.currentUserID }
/// let list = try await marketplace.products(["coins_100"])
/// for await transaction in marketplace.transactionUpdates() where transaction.isFinal {
///   deliver(transaction)
///   try marketplace.finish(transaction.id)
/// }
/// ```
public final class Marketplace: Sendable {
  /// What a marketplace is made with.
  public struct Configuration: Sendable {
    /// The URL scheme that the app has registered for the store app's callback. Nil: `.auto` signs
    /// in with a phone number.
    public var callbackScheme: String?

    /// Where the queue and the session are kept: a directory of this app's own, one process at a
    /// time. Nil: nothing survives the process.
    public var stateDirectory: String?

    /// How long the user may take in the store app.
    public var storeLoginTimeout: Duration

    /// How long events are gathered before they are sent.
    public var eventDelay: Duration

    /// What waits before something is tried again.
    public var pause: @Sendable (Duration) async throws -> Void

    /// The wall clock, in milliseconds since 1970 UTC.
    public var now: @Sendable () -> Int64

    /// Makes a configuration.
    public init(
      callbackScheme: String? = nil, stateDirectory: String? = nil,
      storeLoginTimeout: Duration = .seconds(300), eventDelay: Duration = .seconds(1),
      pause: @escaping @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)
      },
      now: @escaping @Sendable () -> Int64 = Marketplace.wallClock
    ) {
      self.callbackScheme = callbackScheme
      self.stateDirectory = stateDirectory
      self.storeLoginTimeout = storeLoginTimeout
      self.eventDelay = eventDelay
      self.pause = pause
      self.now = now
    }
  }

  let configuration: Configuration
  let backend: any Backend
  let presenter: any Presenter
  let store: any StateStore
  let state: Mutex<State>

  /// Resolved when the kept session was taken up, or there is none.
  let started = OneShot<Void>()

  init(
    backend: any Backend, presenter: any Presenter, store: any StateStore,
    configuration: Configuration
  ) {
    self.backend = backend
    self.presenter = presenter
    self.store = store
    self.configuration = configuration
    state = Mutex(State(callbackScheme: configuration.callbackScheme))
    let logouts = backend.logouts
    Task { await takeUpKeptSession(after: logouts) }
  }

  /// A marketplace that is served by the service.
  ///
  /// The client belongs to the marketplace from now on: sign in and out here.
  ///
  /// - Throws: `storeFailed` if the state directory can't be used.
  public convenience init(
    client: OnsideClient, presenter: any Presenter, configuration: Configuration = Configuration()
  ) throws(OnsideError) {
    self.init(
      backend: client, presenter: presenter, store: try Self.store(configuration),
      configuration: configuration)
  }

  /// A marketplace that sells what a `.storekit` file has, without a service: local testing.
  ///
  /// The file is read at once. Users sign in with any phone number and any six digits; the host
  /// isn't asked for an external account. Purchases fail, or wait for approval, as the file's
  /// settings say.
  ///
  /// - Throws: `storeFailed` if the state directory can't be used; `failed` with file, line and
  ///   reason if the file can't.
  public convenience init(
    storeKitFile path: String, appID: String, presenter: any Presenter,
    configuration: Configuration = Configuration()
  ) throws(OnsideError) {
    let store = try Self.store(configuration)
    let backend = try LocalBackend(
      path: path, appID: appID, store: store, now: configuration.now)
    self.init(
      backend: backend, presenter: presenter, store: store,
      configuration: configuration)
  }

  /// Local testing: decides about a purchase that waits for approval.
  ///
  /// - Returns: false if no purchase with this identifier waits.
  @discardableResult
  public func decideLocally(transactionID: String, approve: Bool) -> Bool {
    (backend as? LocalBackend)?.decide(transactionID, approve: approve) ?? false
  }

  static func store(_ configuration: Configuration) throws(OnsideError) -> any StateStore {
    guard let directory = configuration.stateDirectory else { return MemoryStateStore() }
    return try FileStateStore(directory: directory)
  }

  /// Milliseconds since 1970 UTC.
  public static func wallClock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  // MARK: What is known now

  /// What is asked of the app.
  public var host: MarketplaceHost {
    get { state.withLock { $0.host } }
    set { state.withLock { $0.host = newValue } }
  }

  /// The URL scheme that the app has registered for the store app's callback.
  public var callbackScheme: String? {
    get { state.withLock { $0.callbackScheme } }
    set { state.withLock { $0.callbackScheme = newValue } }
  }

  /// True: products come from a file, and nothing from the service.
  public var isLocalTesting: Bool { backend.isLocal }

  /// Who is signed in; nil while nobody is.
  public var profile: ProfileRecord? { state.withLock { $0.profile } }

  /// Whose prices and rules apply; nil while nobody is signed in.
  public var storefront: Storefront? { profile?.storefront }

  /// The user's transactions that aren't finished, oldest first; empty while nobody is signed in.
  public var transactions: [PaymentTransaction] { state.withLock { $0.queue.transactions } }

  /// Grows each time the user changes.
  public var sessionGeneration: UInt64 { state.withLock { $0.run } }

  /// Waits until a session that was kept from an earlier run of the app was taken up. Everything
  /// else waits for it by itself.
  public func start() async { await started.value }
}
