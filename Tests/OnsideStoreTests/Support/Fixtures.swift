import OnsideDomain
import OnsideStore
import Testing

/// Values for tests.
enum Fixtures {
  static let start = Timestamp(milliseconds: 1_772_000_000_000)

  /// A moment after `start`.
  static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: start.milliseconds + milliseconds)
  }

  static func storefront(_ country: String = "DE") throws -> Storefront {
    Storefront(id: "store-\(country)", country: try #require(CountryCode(alpha2: country)))
  }

  static func profile(
    _ user: String?, app: String = "com.example.shop", id: ProfileID = .random()
  ) throws -> ProfileRecord {
    ProfileRecord(
      id: id, kind: user == nil ? .regular : .external, appID: user == nil ? nil : app,
      externalUserID: user, storefront: try storefront(), createdAt: start)
  }

  /// The regular profile of a phone number.
  static func regular(
    _ number: String = "+4915112345678", id: ProfileID = .random()
  ) throws -> ProfileRecord {
    ProfileRecord(
      id: id, phoneNumber: try #require(PhoneNumber(e164: number)), storefront: try storefront(),
      createdAt: start)
  }

  static func intent(
    _ key: String = "key-1", profile: ProfileID, product: String = "coins.100",
    app: String = "com.example.shop", fingerprint: [UInt8] = [1, 2, 3], exclusive: Bool = false,
    token: String? = nil, at time: Int64 = 0, id: TransactionID? = nil
  ) throws -> PurchaseIntent {
    PurchaseIntent(
      transactionID: id ?? .timeOrdered(at: Fixtures.time(time)), profileID: profile, appID: app,
      idempotencyKey: key, fingerprint: fingerprint, productIdentifier: product,
      productKind: exclusive ? .nonConsumable : .consumable, isExclusive: exclusive,
      price: Money(minorUnits: 499, currency: try #require(Currency("EUR"))),
      storefront: try storefront(), appAccountToken: token,
      payment: PaymentDescription(method: .applePay), paymentToken: "sandbox-paid",
      createdAt: Fixtures.time(time))
  }

  /// The transaction of a purchase that is expected to be new.
  static func begun(
    _ intent: PurchaseIntent, in store: any Store
  ) async throws -> TransactionRecord {
    let beginning = try await store.beginPurchase(intent)
    guard case .new(let transaction) = beginning else {
      Issue.record("not new: \(beginning)")
      throw StoreError(.requestFailed, "not new")
    }
    return transaction
  }
}
