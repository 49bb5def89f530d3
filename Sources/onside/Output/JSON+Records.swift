import Foundation
import OnsideClient
import OnsideDomain

/// Values as JSON objects, with the names that the service's messages use.
enum JSON {
  static func text(_ value: Any) -> String {
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    else { preconditionFailure("not a JSON value: \(value)") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  static func object(_ money: Money) -> [String: Any] {
    [
      "minor_units": money.minorUnits, "currency_code": money.currency.code,
      "exponent": money.currency.exponent,
    ]
  }

  static func object(_ storefront: Storefront) -> [String: Any] {
    ["id": storefront.id, "country_code": storefront.country.alpha2]
  }

  static func object(_ profile: ProfileRecord) -> [String: Any] {
    var object: [String: Any] = [
      "profile_id": profile.id, "kind": "\(profile.kind)", "app_id": profile.appID,
      "storefront": object(profile.storefront), "created_at_ms": profile.createdAtMilliseconds,
    ]
    object["external_user_id"] = profile.externalUserID
    return object
  }

  static func object(_ product: ProductRecord) -> [String: Any] {
    var object: [String: Any] = [
      "product_identifier": product.identifier, "title": product.title,
      "description": product.description, "kind": "\(product.kind)",
      "price": object(product.price),
    ]
    object["subscription_group"] = product.subscriptionGroup
    object["subscription_period"] = product.subscriptionPeriod?.iso8601
    object["introductory_price"] = product.introductoryPrice.map(Self.object)
    object["discounted_price"] = product.discountedPrice.map(Self.object)
    object["icon_url"] = product.iconURL
    return object
  }

  static func object(_ price: ProductRecord.PeriodPrice) -> [String: Any] {
    ["price": object(price.price), "period": price.period.iso8601]
  }

  static func object(_ list: ProductList) -> [String: Any] {
    [
      "products": list.products.map(Self.object), "invalid_identifiers": list.invalidIdentifiers,
      "unsupported_identifiers": list.unsupportedIdentifiers,
      "storefront": object(list.storefront),
    ]
  }

  static func object(_ transaction: TransactionRecord) -> [String: Any] {
    var object: [String: Any] = [
      "transaction_id": transaction.id, "original_transaction_id": transaction.originalID,
      "product_identifier": transaction.productIdentifier,
      "product_kind": "\(transaction.productKind)", "state": "\(transaction.state)",
      "price": object(transaction.price), "storefront": object(transaction.storefront),
      "created_at_ms": transaction.createdAtMilliseconds,
      "updated_at_ms": transaction.updatedAtMilliseconds, "finished": transaction.isFinished,
    ]
    object["app_account_token"] = transaction.appAccountToken
    object["failure_reason"] = transaction.failureReason.map { "\($0)" }
    return object
  }
}
