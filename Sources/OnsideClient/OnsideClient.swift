import OnsideProto
public import RPC
import Synchronization

/// One user of the marketplace, in one app.
///
/// Any number of clients can live in one process and share one invoker, which has the connections.
/// A client may be used from any thread. Its answers belong to the user who was signed in when the
/// question was asked: one that comes after a logout or login is dropped, and the call fails with
/// `superseded`.
///
/// ```swift
/// let client = OnsideClient(invoker: rpc, configuration: .init(appID: "com.example.shop"))
/// let profile = try await client.logIn(externalUserID: "user-4711")
/// let list = try await client.products(["coins_100"])
/// ```
public final class OnsideClient: Sendable {
  /// What a client is made with.
  public struct Configuration: Sendable {
    /// The app that users sign in to, as registered with the service.
    public var appID: String

    /// The app's key, for apps that are registered with one. Never part of a description.
    public var appKey: String?

    /// Where new profiles belong, and whose prices are shown while nobody is signed in: ISO 3166-1
    /// alpha-2. Nil: the app's default.
    public var countryHint: String?

    /// How long a call may take. Nil: as long as the invoker lets it.
    public var timeout: Duration?

    /// How often a purchase is sent with its idempotency key while the service can't be reached;
    /// at least 1.
    public var purchaseAttempts: Int

    /// Makes a configuration.
    public init(
      appID: String, appKey: String? = nil, countryHint: String? = nil, timeout: Duration? = nil,
      purchaseAttempts: Int = 3
    ) {
      self.appID = appID
      self.appKey = appKey
      self.countryHint = countryHint
      self.timeout = timeout
      self.purchaseAttempts = max(1, purchaseAttempts)
    }
  }

  // What each call needs comes first and lies together: where there are thousands of clients in one
  // process, what a call costs is the memory that it has to fetch.
  let state = Mutex(State())

  /// Makes the calls.
  let invoker: any CallInvoker

  /// What the client was made with.
  public let configuration: Configuration

  var login: LoginServiceClient { LoginServiceClient(invoker) }
  var catalogue: ProductsServiceClient { ProductsServiceClient(invoker) }
  var payments: PaymentsServiceClient { PaymentsServiceClient(invoker) }
  var analytics: AnalyticsServiceClient { AnalyticsServiceClient(invoker) }

  struct State {
    var machine = SessionMachine()
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter: UInt64 = 0

    /// Sessions that couldn't be ended: to be tried again once the service answers. Oldest first.
    var leftOver: [Session] = []
  }

  /// A client whose calls go through `invoker`.
  public init(invoker: any CallInvoker, configuration: Configuration) {
    self.invoker = invoker
    self.configuration = configuration
  }

  /// The session of the user who is signed in; nil while nobody is.
  public var session: Session? {
    guard case .signedIn(let session) = state.withLock({ $0.machine.current }) else { return nil }
    return session
  }

  /// Grows each time the user changes.
  public var sessionGeneration: UInt64 {
    state.withLock { $0.machine.generation }
  }
}

extension OnsideClient.Configuration: CustomStringConvertible, CustomReflectable {
  public var description: String { "app \(appID)" }

  /// Without the app's key, so that no dump shows it.
  public var customMirror: Mirror { Mirror(self, children: ["appID": appID]) }
}
