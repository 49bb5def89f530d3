import OnsideDomain
import OnsideStore
import Testing

@Suite("Lists of purchases, in each store")
struct PurchaseListTests {
  private let profile = ProfileID(high: 3, low: 3)
  private let app = "com.example.shop"

  /// A purchase with an outcome; nil: without one.
  @discardableResult
  private func buy(
    _ product: String, _ outcome: PaymentOutcome? = .paid, kind: ProductKind = .subscription,
    at time: Int64, app: String? = nil, profile: ProfileID? = nil, in store: any Store
  ) async throws -> TransactionRecord {
    let template = try Fixtures.intent(
      "key-\(time)", profile: profile ?? self.profile, product: product, app: app ?? self.app,
      token: "account-\(time)", at: time)
    let intent = PurchaseIntent(
      transactionID: template.transactionID, profileID: template.profileID, appID: template.appID,
      idempotencyKey: template.idempotencyKey, fingerprint: template.fingerprint,
      productIdentifier: product, productKind: kind, isExclusive: kind == .nonConsumable,
      price: template.price, storefront: template.storefront,
      appAccountToken: template.appAccountToken,
      payment: PaymentDescription(
        method: .savedCard, card: CardLabel(brand: .mastercard, lastFour: "0004")),
      paymentToken: "token", createdAt: template.createdAt)
    let begun = try await Fixtures.begun(intent, in: store)
    guard let outcome else { return begun }
    let recording = try await store.recordOutcome(
      outcome, of: begun.id, profileID: begun.profileID, at: Fixtures.time(time + 1_000))
    guard case .recorded(let transaction) = recording else { return begun }
    return transaction
  }

  private func owned(_ store: any Store, limit: Int = 500) async throws -> [TransactionRecord] {
    var found: [TransactionRecord] = []
    var cursor: TransactionCursor?
    repeat {
      let query = OwnedQuery(profileID: profile, appID: app, limit: limit, after: cursor)
      let page = try await store.listOwned(query)
      #expect(page.transactions.count <= limit)
      found += page.transactions
      cursor = try page.next.map { next in
        try #require(TransactionCursor(text: next.text(for: query), for: query))
      }
    } while cursor != nil
    return found
  }

  @Test(
    "What is owned is purchased and no consumable, each product once with its last transaction",
    arguments: StoreKind.allCases)
  func lists(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await owned(store).isEmpty)
      try await buy("club", at: 1, in: store)
      let level = try await buy("level", kind: .nonConsumable, at: 2, in: store)
      try await buy("coins", kind: .consumable, at: 3, in: store)
      let club = try await buy("club", at: 4, in: store)
      try await buy("club", .failed(.declined), at: 5, in: store)
      try await buy("gold", .needsApproval, at: 6, in: store)
      try await buy("silver", nil, at: 7, in: store)
      try await buy("club", at: 8, app: "other", in: store)
      try await buy("club", at: 9, profile: ProfileID(high: 3, low: 4), in: store)
      let bronze = try await buy("bronze", at: 10, in: store)
      for limit in [1, 2, 3, 500] {
        #expect(try await owned(store, limit: limit) == [level, club, bronze], "limit \(limit)")
      }
      // Finishing changes nothing about it.
      _ = try await store.finishTransaction(
        club.id, profileID: profile, appID: app, at: Fixtures.time(5_000))
      #expect(try await owned(store).map(\.id) == [level.id, club.id, bronze.id])
    }
  }

  @Test("A place in this list is none in the other", arguments: StoreKind.allCases)
  func cursors(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for time: Int64 in [1, 2] { try await buy("p\(time)", at: time, in: store) }
      let query = OwnedQuery(profileID: profile, appID: app, limit: 1)
      let text = try #require(try await store.listOwned(query).next).text(for: query)
      for unfinishedOnly in [true, false] {
        let other = TransactionQuery(
          profileID: profile, appID: app, limit: 1, unfinishedOnly: unfinishedOnly)
        #expect(TransactionCursor(text: text, for: other) == nil)
      }
      let stranger = OwnedQuery(profileID: ProfileID.random(), appID: app, limit: 1)
      #expect(TransactionCursor(text: text, for: stranger) == nil)
    }
  }

  @Test(
    "What was bought is listed newest first, of one app or of all", arguments: StoreKind.allCases)
  func bought(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let one = try await buy("coins", kind: .consumable, at: 1, in: store)
      let two = try await buy("club", at: 2, app: "other", in: store)
      let three = try await buy("club", at: 3, in: store)
      try await buy("club", .failed(.cancelled), at: 4, in: store)
      try await buy("club", at: 5, profile: ProfileID(high: 3, low: 4), in: store)
      func list(_ app: String?, _ limit: Int) async throws -> [TransactionRecord] {
        try await store.listBought(BoughtQuery(profileID: profile, appID: app, limit: limit))
      }
      #expect(try await list(nil, 100) == [three, two, one])
      #expect(try await list(app, 100) == [three, one])
      #expect(try await list(app, 1) == [three])
      #expect(try await list("none", 1) == [])
    }
  }

  @Test("How it was paid comes back everywhere", arguments: StoreKind.allCases)
  func payment(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let bought = try await buy("club", at: 1, in: store)
      #expect(bought.payment.description == "Mastercard 0004")
      let found = try await store.findTransaction(bought.id, profileID: profile, appID: app)
      #expect(found == bought)
      let open = try await buy("gold", nil, at: 2, in: store)
      let intent = try await store.intent(of: open)
      #expect(intent?.payment == bought.payment && intent?.paymentToken == "token")
      #expect(intent?.transaction == open)
      #expect(try await store.intent(of: bought) == nil)
    }
  }

  @Test(
    "Deferred purchases are listed oldest first until they are decided, and found afterwards too",
    arguments: StoreKind.allCases)
  func deferred(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let one = try await buy("a", .needsApproval, at: 1, in: store)
      let two = try await buy(
        "b", .needsApproval, at: 2, app: "other", profile: ProfileID(high: 1, low: 1), in: store)
      let paid = try await buy("c", at: 3, in: store)
      #expect(try await store.deferredPurchases() == [one, two])
      #expect(try await store.deferredPurchases(limit: 1) == [one])
      #expect(try await store.deferredPurchases(appID: "other") == [two])
      #expect(try await store.findDeferredPurchase(one.id) == one)
      #expect(try await store.findDeferredPurchase(paid.id) == nil)
      _ = try await store.recordOutcome(
        .paid, of: one.id, profileID: profile, at: Fixtures.time(9))
      #expect(try await store.deferredPurchases() == [two])
      #expect(try await store.findDeferredPurchase(one.id)?.lifecycle.state == .purchased)
    }
  }
}
