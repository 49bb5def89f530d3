import Foundation
import OnsideDomain
import OnsideProto
import RPC

/// Answers of the sandbox's service as JSON objects, with the names of its messages.
extension JSON {
  static func object(_ rule: FaultRule) -> [String: Any] {
    let match = rule.match ?? FaultMatch()
    let texts = [
      "method": match.method, "app_id": match.appID, "profile_id": match.profileID,
      "external_user_id": match.externalUserID,
    ]
    var object: [String: Any] = [
      "fault_id": rule.faultID, "match": texts.filter { !$0.value.isEmpty }, "skip": rule.skip,
      "count": rule.count, "delay_ms": rule.delayMs, "matched": rule.matched, "fired": rule.fired,
    ]
    switch rule.effect {
    case .status(let status):
      object["status"] = [
        "code": "\(StatusCode(rawValue: status.code))", "message": status.message,
        "reason": status.reason,
      ]
    case .dropReply: object["drop_reply"] = true
    case .cutConnection: object["cut_connection"] = true
    case nil: break
    }
    return object
  }

  static func object(_ code: PhoneCode) -> [String: Any] {
    [
      "app_id": code.appID, "code": code.code, "challenge_id": code.challengeID,
      "sent_at_ms": code.sentAtMs, "expires_at_ms": code.expiresAtMs,
    ]
  }

  static func object(_ login: StoreLogin) -> [String: Any] {
    [
      "login_id": login.loginID, "app_id": login.appID, "url": login.url,
      "begun_at_ms": login.begunAtMs, "expires_at_ms": login.expiresAtMs,
    ]
  }

  static func object(_ purchase: DeferredPurchase) -> [String: Any] {
    [
      "app_id": purchase.appID, "profile_id": purchase.profileID,
      "transaction": object(purchase.transaction ?? Transaction()),
    ]
  }

  static func object(_ purchase: AccountPurchase) -> [String: Any] {
    [
      "app_id": purchase.appID, "transaction": object(purchase.transaction ?? Transaction()),
    ]
  }

  static func object(_ transaction: Transaction) -> [String: Any] {
    let price = transaction.price ?? OnsideProto.Money()
    let storefront = transaction.storefront ?? OnsideProto.Storefront()
    var object: [String: Any] = [
      "transaction_id": transaction.transactionID,
      "original_transaction_id": transaction.originalTransactionID,
      "product_identifier": transaction.productIdentifier, "state": transaction.stateText,
      "price": [
        "minor_units": price.minorUnits, "currency_code": price.currencyCode,
        "exponent": price.exponent,
      ] as [String: Any],
      "storefront": ["id": storefront.id, "country_code": storefront.countryCode],
      "created_at_ms": transaction.createdAtMs, "updated_at_ms": transaction.updatedAtMs,
      "finished": transaction.finished,
    ]
    object["app_account_token"] = transaction.appAccountToken
    return object
  }

  /// The parameters, which the service has as JSON, are part of the object.
  static func object(_ event: TrackedEvent) -> [String: Any] {
    let parameters = try? JSONSerialization.jsonObject(with: Data(event.parametersJson.utf8))
    return [
      "installation_id": event.installationID, "event_id": event.eventID, "name": event.name,
      "parameters": parameters ?? [String: Any](), "occurred_at_ms": event.occurredAtMs,
    ]
  }
}

extension Transaction {
  /// Its state for people.
  var stateText: String {
    switch state {
    case .purchasing: "purchasing"
    case .purchased: "purchased"
    case .failed: "failed"
    case .deferred: "deferred"
    default: "state \(state.rawValue)"
    }
  }

  /// Its price for people.
  var priceText: String {
    guard let price, let currency = Currency(price.currencyCode) else { return "" }
    return "\(OnsideDomain.Money(minorUnits: price.minorUnits, currency: currency))"
  }
}
