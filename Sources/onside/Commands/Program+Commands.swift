import Flags
import OnsideClient
import OnsideDomain

extension Program {
  func logIn(_ client: OnsideClient) async throws(Failure) {
    let profile: ProfileRecord
    do throws(OnsideError) {
      profile = try await client.logIn(externalUserID: arguments[options.externalID])
    } catch {
      throw Failure(error)
    }
    guard let session = client.session else {
      throw Failure(.session, "the session ended before it could be kept; log in again")
    }
    do throws(Failure) {
      try keep(session)
    } catch {
      // A session that nobody can use again isn't left behind.
      try? await client.logOut()
      throw error
    }
    show(profile)
  }

  func logOut(_ client: OnsideClient) async throws(OnsideError) {
    guard client.session != nil else {
      throw OnsideError(.notSignedIn, "nobody is logged in; nothing to end")
    }
    try await client.logOut()
    print(arguments[options.json] ? "{}" : "logged out")
  }

  /// Buys at the price that the service names now, which is what its user sees.
  func buy(
    _ client: OnsideClient, with method: PaymentMethod
  ) async throws(OnsideError) {
    let identifier = arguments[options.product]
    let list = try await client.products([identifier])
    guard let product = list.products.first else {
      if list.unsupportedIdentifiers.isEmpty {
        throw OnsideError(
          .refused,
          "\(identifier) isn't sold in the storefront \(list.storefront.id), or doesn't exist",
          reason: .productNotFound)
      }
      throw OnsideError(
        .refused, "\(identifier) can't be bought by a profile of an external login",
        reason: .notSupportedForExternalLogin)
    }
    var request = PurchaseRequest(
      product, paymentMethod: method, appAccountToken: arguments[options.accountToken])
    if let key = arguments[options.idempotencyKey] { request.idempotencyKey = key }
    let transaction = try await client.purchase(request)
    show(transaction, "\(transaction.state)")
    if let reason = transaction.failureReason {
      throw OnsideError(.refused, "the payment was \(reason)")
    }
  }
}
