import Logging
import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Synchronization

/// A marketplace that is called in process, with everything that a test may look at or change.
final class MarketplaceFixture: Sendable {
  static let externalUser = "user-1"

  let folder: TemporaryFolder
  let store: any Store
  let clock: TestClock
  let log: LogRecorder
  let marketplace: Marketplace
  let transport: InProcessTransport

  init(
    store: any Store = MemoryStore(), clock: TestClock = TestClock(),
    catalogue: String = TestCatalogue.text, peer: PeerInfo = PeerInfo(address: "192.0.2.1:40000"),
    configure: (inout MarketplaceConfiguration) -> Void = { _ in }
  ) async throws {
    folder = try TemporaryFolder()
    self.store = store
    self.clock = clock
    log = LogRecorder()
    var configuration = MarketplaceConfiguration()
    configuration.apps = AppRegistry([
      RegisteredApp(id: TestCatalogue.shop, name: "Shop"),
      RegisteredApp(
        id: TestCatalogue.other, name: "Other", defaultCountry: CountryCode(alpha2: "KW")),
    ])
    configuration.clock = clock.clock
    configure(&configuration)
    marketplace = try await Marketplace(
      store: store,
      catalogue: CatalogueHolder(try TestCatalogue.snapshot(catalogue, in: folder)),
      configuration: configuration, log: log.logger)
    transport = try Self.transport(marketplace, peer)
  }

  private static func transport(
    _ marketplace: Marketplace, _ peer: PeerInfo
  ) throws -> InProcessTransport {
    var registry = MethodRegistry()
    marketplace.register(in: &registry)
    var options = InProcessTransport.Configuration()
    options.peer = peer
    return try InProcessTransport(registry, configuration: options)
  }

  /// The login service as a client at another address calls it.
  func login(from address: String) throws -> LoginServiceClient {
    LoginServiceClient(try Self.transport(marketplace, PeerInfo(address: address)))
  }

  var login: LoginServiceClient { LoginServiceClient(transport) }
  var products: ProductsServiceClient { ProductsServiceClient(transport) }
  var payments: PaymentsServiceClient { PaymentsServiceClient(transport) }

  /// Logs a user in.
  func logIn(
    _ user: String = externalUser, app: String = TestCatalogue.shop, country: String = "",
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> CreateSessionResponse {
    try await login.createSession(
      CreateSessionRequest(
        appID: app, credential: .externalUserID(user), countryHint: country), options: options)
  }

  /// The options of a call with the session of a user who logs in for it.
  func session(
    _ user: String = externalUser, app: String = TestCatalogue.shop, country: String = ""
  ) async throws(RPCError) -> CallOptions {
    .session(try await logIn(user, app: app, country: country).sessionToken)
  }

  /// The profile of a session.
  func profileID(of session: CallOptions) async throws -> ProfileID {
    let profile = try await login.getProfile(GetProfileRequest(), options: session).profile
    guard let id = profile.flatMap({ ProfileID($0.profileID) }) else {
      throw TestFailure("no profile")
    }
    return id
  }

  /// A purchase before its payment, as if a profile had bought in an app.
  func intent(_ key: String, of profileID: ProfileID, app: String) throws -> PurchaseIntent {
    guard let euro = Currency("EUR"), let germany = CountryCode(alpha2: "DE") else {
      throw TestFailure("no Germany")
    }
    return PurchaseIntent(
      transactionID: .random(), profileID: profileID, appID: app, idempotencyKey: key,
      fingerprint: [1], productIdentifier: "coins", productKind: .consumable, isExclusive: false,
      price: OnsideDomain.Money(minorUnits: 1, currency: euro),
      storefront: OnsideDomain.Storefront(id: "DE-1", country: germany), appAccountToken: nil,
      payment: PaymentDescription(method: .applePay), paymentToken: "sandbox-paid",
      createdAt: clock.now)
  }

  /// A session of a regular profile that nobody has logged in as.
  func regularSession() async throws -> CallOptions {
    guard let germany = CountryCode(alpha2: "DE") else { throw TestFailure("no Germany") }
    let profile = ProfileRecord(
      id: .random(), kind: .regular, appID: nil, externalUserID: nil,
      storefront: OnsideDomain.Storefront(id: "DE-1", country: germany), createdAt: clock.now)
    return .session(try marketplace.beginSession(of: profile, inApp: TestCatalogue.shop))
  }
}

extension CallOptions {
  /// The options of a call with one piece of metadata. A value that can't be sent isn't.
  static func with(_ key: String, _ value: String) -> CallOptions {
    var options = CallOptions()
    try? options.metadata.add(key, value)
    return options
  }

  /// The options of a call with a session.
  static func session(_ token: String) -> CallOptions { with("authorization", "Bearer \(token)") }

  /// The options of a call with an app key.
  static func appKey(_ key: String) -> CallOptions { with("onside-app-key", key) }
}

/// Keeps the lines of a log.
final class LogRecorder: Sendable {
  private struct State {
    var text = ""
    var waiting: [(count: Int, of: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// A logger that writes everything here.
  var logger: Logger { Logger(level: .debug, sink: { self.add($0) }) }

  /// All lines so far.
  var lines: String { state.withLock { $0.text } }

  /// How often a text was written so far.
  func count(of text: String) -> Int { lines.ranges(of: text).count }

  /// Waits until a text was written so many times.
  func wait(for text: String, times: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.text.ranges(of: text).count >= times { return true }
        state.waiting.append((times, text, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func add(_ line: String) {
    let due = state.withLock { state in
      state.text += line
      let due = state.waiting.filter { state.text.ranges(of: $0.of).count >= $0.count }
      state.waiting.removeAll { state.text.ranges(of: $0.of).count >= $0.count }
      return due
    }
    for waiter in due { waiter.continuation.resume() }
  }
}

/// The error that a call ends with.
///
/// - Throws: When it doesn't.
func failure<Value>(
  of call: () async throws(RPCError) -> Value
) async throws(TestFailure) -> RPCError {
  do throws(RPCError) {
    _ = try await call()
  } catch {
    return error
  }
  throw TestFailure("the call was answered")
}
