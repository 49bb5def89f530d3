#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideClient
import OnsideDomain

/// What the facade needs of the marketplace: one user of one app. Callable from any thread; nothing
/// blocks.
protocol MarketplaceInstance: Sendable {
  /// True: everything comes from a local file.
  var isLocalTesting: Bool { get }

  /// Who is signed in; nil: nobody.
  var profile: ProfileRecord? { get }

  /// The storefront of the user who is signed in; nil: nobody is.
  var storefront: Storefront? { get }

  /// Everything that isn't finished.
  var transactions: [PaymentTransaction] { get }

  /// From now on the app is asked in this way.
  func setHost(_ host: MarketplaceHost)

  /// The URL scheme that the store app calls back with.
  func setCallbackScheme(_ scheme: String?)

  /// Takes up the session that was kept. Other calls wait for it by themselves.
  func start() async

  func logIn() async throws(OnsideError)

  /// Forgets the user at once.
  func logOut()

  /// - Returns: false if the URL isn't the marketplace's.
  func handle(url: String) -> Bool
  func products(_ identifiers: [String]) async throws(OnsideError) -> ProductList

  /// Puts a payment into the queue, or says why not.
  func add(_ payment: Payment) async throws(OnsideError) -> PaymentTransaction

  /// Begins a restore; events tell how it goes on.
  func restoreCompletedTransactions() async throws(OnsideError)

  /// - Throws: `unknownTransaction`.
  func finish(_ id: UUID) throws(OnsideError)

  /// Hands on every event from now on, the first with everything that is unfinished, until `take`
  /// returns false or the task is cancelled. The queue works while this runs.
  func observe(_ take: @escaping @MainActor @Sendable (MarketplaceEvent) -> Bool) async
  func presentPaymentMethods() async throws(OnsideError)
  func signedHistory() async throws(OnsideError) -> String

  /// The URL that the user came from; nil: none is known.
  func attribution() async throws(OnsideError) -> String?

  /// - Throws: `refused` for an event that is against the rules.
  func track(_ name: String, parameters: [String: TrackedEvent.Value]) throws(OnsideError)

  /// Stops everything, as the end of the process would.
  func shutDown() async
}
