#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideClient
import OnsideDomain

/// What there is before `Onside.initialize()`, and where it couldn't do its work: nobody is signed
/// in, nothing is sold, and everything fails with the reason.
struct UnreadyInstance: MarketplaceInstance {
  let reason: String

  private var error: OnsideError { OnsideError(.unavailable, reason) }

  var isLocalTesting: Bool { false }
  var profile: ProfileRecord? { nil }
  var storefront: Storefront? { nil }
  var transactions: [PaymentTransaction] { [] }

  func setHost(_ host: MarketplaceHost) {}
  func setCallbackScheme(_ scheme: String?) {}
  func start() async {}
  func logOut() {}
  func handle(url: String) -> Bool { false }
  func observe(_ take: @escaping @MainActor @Sendable (MarketplaceEvent) -> Bool) async {}

  func logIn() async throws(OnsideError) { throw error }
  func products(_ identifiers: [String]) async throws(OnsideError) -> ProductList { throw error }
  func add(_ payment: Payment) async throws(OnsideError) -> PaymentTransaction { throw error }
  func restoreCompletedTransactions() async throws(OnsideError) { throw error }
  func finish(_ id: UUID) throws(OnsideError) { throw error }
  func presentPaymentMethods() async throws(OnsideError) { throw error }
  func signedHistory() async throws(OnsideError) -> String { throw error }
  func attribution() async throws(OnsideError) -> String? { throw error }
  func track(_ name: String, parameters: [String: TrackedEvent.Value]) throws(OnsideError) {
    throw error
  }
  func shutDown() async {}
}
