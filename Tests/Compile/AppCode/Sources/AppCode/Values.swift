// The value types, as clients use them.

import Foundation

#if LITE
  import OnsideKitLite
#else
  import OnsideKit
#endif

func text(_ product: OnsideProduct) -> [String: Any] {
  let value: Double = product.price.value
  let url: URL? = product.iconUrl
  var fields: [String: Any] = [
    "id": product.productIdentifier, "title": product.localizedTitle,
    "about": product.localizedDescription, "price": String(product.price.value),
    "number": NSNumber(value: value), "currency": product.price.currencyCode,
    "all": product.description,
  ]
  if let period = product.subscriptionPeriod { fields["period"] = text(period) }
  if let first = product.introductoryPrice { fields["first"] = "\(first.price.value)" }
  if let later = product.discountedPrice { fields["later"] = text(later.period) }
  fields["group"] = product.subscriptionGroupIdentifier
  fields["icon"] = url?.absoluteString
  return fields
}

func text(_ period: OnsidePeriod) -> String {
  switch period {
  case .day(let count): return "P\(count)D"
  case .week(let count): return "P\(count)W"
  case .month(let count): return "P\(Int(count))M"
  case .year(let count): return "P\(count)Y"
  @unknown default: return ""
  }
}

func newest(
  _ transaction: OnsidePaymentTransaction, _ others: [OnsidePaymentTransaction]
) -> OnsidePaymentTransaction? {
  let id: UUID = transaction.id
  return others.first { $0.isSame(as: transaction) && $0.id == id }
}

func roundTrip(_ product: OnsideProduct) throws -> Bool {
  let encoded = try JSONEncoder().encode(product)
  return try JSONDecoder().decode(OnsideProduct.self, from: encoded) == product
}

/// What crosses to another actor without a word.
func send(
  _ product: OnsideProduct, _ transaction: OnsidePaymentTransaction, _ storefront: OnsideStorefront
) {
  Task.detached { print(product, transaction, storefront) }
}

let storefronts: [OnsideStorefront: String] = [:]

/// The errors with their JSON, as the JavaScript bridge sends them.
func json(_ error: some Error & Encodable) throws -> String {
  String(decoding: try JSONEncoder().encode(error), as: UTF8.self)
}

let allErrors: [any Error & Codable & Sendable] = [
  OnsideLoginError.loginDiscarded,
  OnsidePaymentQueueAddProductError.loginDiscarded,
  OnsidePaymentQueueAddProductError.notSupportedForExternalLogin,
  OnsidePaymentQueueAddProductError.applePayRequired,
  OnsidePaymentQueueRequestRestoreError.loginDiscarded,
  OnsideTransactionsRestoreError.cancelled,
  OnsideProductsRequestError.invalidProductIdentifier,
  OnsideSignedInAppsHistoryRequestError.notLoggedIn,
  OnsidePaymentMethodsManagerError.notSupportedInLocalTesting,
  OnsidePaymentTransactionError.presentationFailed,
  OnsideAttributionMetadataError.appNotRegistered,
]
