import Foundation
import OnsideKitCore
import Testing

@Suite("Errors of the interface")
struct ErrorCodingTests {
  private func check<Failure: Error & Codable & Equatable>(_ failures: [Failure]) throws {
    for failure in failures {
      let data = try JSONEncoder().encode(failure)
      #expect(String(decoding: data, as: UTF8.self) == "{\"\(failure)\":{}}")
      #expect(try JSONDecoder().decode(Failure.self, from: data) == failure)
      #expect(!(failure is any LocalizedError))
    }
  }

  @Test("Each error is {\"caseName\":{}} in JSON, as the JavaScript bridge sends it")
  func coding() throws {
    try check([OnsideLoginError.loginDiscarded])
    try check([
      OnsidePaymentQueueAddProductError.loginDiscarded, .notSupportedForExternalLogin,
      .applePayRequired,
    ])
    try check([OnsidePaymentQueueRequestRestoreError.loginDiscarded])
    try check([
      OnsideTransactionsRestoreError.cancelled, .connectionError, .appNotRegistered,
      .serviceUnavailable, .internalError,
    ])
    try check([OnsidePaymentTransactionError.cancelled, .presentationFailed])
    try check([
      OnsideProductsRequestError.cancelled, .connectionError, .appNotRegistered,
      .invalidProductIdentifier, .serviceUnavailable, .internalError,
    ])
    try check([
      OnsideSignedInAppsHistoryRequestError.notLoggedIn, .notSupportedInLocalTesting, .cancelled,
      .connectionError, .appNotRegistered, .serviceUnavailable, .internalError,
    ])
    try check([
      OnsidePaymentMethodsManagerError.loginDiscarded, .notSupportedInLocalTesting,
      .notSupportedForExternalLogin,
    ])
    try check([
      OnsideAttributionMetadataError.connectionError, .appNotRegistered, .serviceUnavailable,
      .internalError,
    ])
  }
}
