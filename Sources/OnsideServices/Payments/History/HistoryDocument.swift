import OnsideCatalogue
import OnsideDomain
import OnsideStore

/// The payload of a signed history: a profile's purchases in an app, oldest first.
///
/// Source of the names and values: the marketplace's merchant API (`TransactionHistory` and
/// `InAppPurchase`); `Docs/history.md` lists them.
struct HistoryDocument: Sendable {
  /// One purchase, and what the catalogue knows of its product.
  struct Purchase: Sendable {
    let transaction: TransactionRecord
    let product: CatalogueProduct?
  }

  let purchases: [Purchase]
  let appID: String
  let issuer: String
  let now: Timestamp

  /// The document as JSON.
  var json: String {
    JSONText.object([
      "iss": JSONText.string(issuer), "aud": JSONText.string(appID),
      "iat": String(now.milliseconds / 1_000), "fetched_at": JSONText.string(now.rfc3339),
      "transactions": JSONText.array(purchases.map(inAppPurchase)),
    ])
  }

  private func inAppPurchase(_ purchase: Purchase) -> String {
    let transaction = purchase.transaction
    let period = purchase.product?.subscriptionPeriod
    let bought = JSONText.string(transaction.createdAt.rfc3339)
    let isRenewal = transaction.id != transaction.originalID
    return JSONText.object([
      "app_account_token": JSONText.string(transaction.appAccountToken),
      "bundle_id": JSONText.string(transaction.appID),
      "currency": JSONText.string(transaction.price.currency.code),
      "expires_at": JSONText.string(period?.end(from: transaction.createdAt).rfc3339),
      "fetched_at": JSONText.string(now.rfc3339),
      "order_id": JSONText.string(transaction.id.description),
      "original_order_id": JSONText.string(transaction.originalID.description),
      "original_purchase_date": bought,
      "price": String(transaction.price.minorUnits),
      "product_id": JSONText.string(transaction.productIdentifier),
      "product_slug": JSONText.string(transaction.productIdentifier),
      "product_type": JSONText.string(Self.name(transaction.productKind)),
      "purchase_date": bought,
      "quantity": "1",
      "revocation_date": "null",
      "revocation_reason": "null",
      "subscription_id": JSONText.string(purchase.product?.subscriptionGroup),
      "transaction_reason": JSONText.string(isRenewal ? "RENEWAL" : "PURCHASE"),
      "user_country": JSONText.string(transaction.storefront.country.alpha2),
    ])
  }

  private static func name(_ kind: ProductKind) -> String {
    switch kind {
    case .consumable: "CONSUMABLE"
    case .nonConsumable: "NON_CONSUMABLE"
    case .subscription: "SUBSCRIPTION"
    }
  }
}
