import Logging
import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

@testable import OnsideServices

/// A purchase flow over a store in memory, and orders for it.
struct PurchaseFixture {
  let folder: TemporaryFolder
  let store: any Store
  let catalogue: CatalogueHolder
  let processor: any PaymentProcessor
  let clock = TestClock()
  let flow: PurchaseFlow

  init(
    processor: any PaymentProcessor = SandboxProcessor(), store: any Store = MemoryStore()
  ) throws {
    folder = try TemporaryFolder()
    self.store = store
    self.processor = processor
    catalogue = CatalogueHolder(try TestCatalogue.snapshot(in: folder))
    flow = PurchaseFlow(
      store: store, catalogue: catalogue, processor: processor, clock: clock.clock,
      log: Logger(sink: { _ in }))
  }

  /// A profile in the shop's German storefront.
  func buyer(_ kind: OnsideDomain.ProfileKind = .external) throws -> Buyer {
    guard let germany = CountryCode(alpha2: "DE") else { throw TestFailure("no Germany") }
    return Buyer(
      profileID: .random(), appID: TestCatalogue.shop, kind: kind,
      storefront: OnsideDomain.Storefront(id: "DE-1", country: germany))
  }

  static func request(
    _ product: String = "coins", key: String = "key-1", token: String = "sandbox-paid",
    cents: Int64 = 499
  ) -> CreatePurchaseRequest {
    CreatePurchaseRequest(
      idempotencyKey: key, productIdentifier: product, storefrontID: "DE-1",
      price: OnsideProto.Money(minorUnits: cents, currencyCode: "EUR", exponent: 2),
      paymentMethod: .applePayToken(token))
  }

  func buy(_ request: CreatePurchaseRequest, _ buyer: Buyer) async throws -> PurchaseFlow.Purchase {
    try await flow.purchase(PurchaseOrder(request), by: buyer, options: RequestOptions())
  }

  /// The reason that buying is refused for; nil: it isn't.
  func refusal(_ request: CreatePurchaseRequest, _ buyer: Buyer) async -> RefusalReason? {
    do {
      _ = try await buy(request, buyer)
      return nil
    } catch let error as RPCError {
      return error.refusalReason
    } catch {
      return nil
    }
  }

  func transactions(of buyer: Buyer) async throws -> [TransactionRecord] {
    try await store.listTransactions(
      TransactionQuery(profileID: buyer.profileID, appID: buyer.appID, limit: 500)
    ).transactions
  }
}
