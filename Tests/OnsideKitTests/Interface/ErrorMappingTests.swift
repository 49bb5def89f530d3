import OnsideClient
import OnsideDomain
@testable import OnsideKitCore
import RPC
import Testing

@Suite("What the service's failures are called in the interface")
struct ErrorMappingTests {
  private func error(
    _ code: OnsideError.Code, _ reason: RefusalReason? = nil, _ phase: RPCError.Phase? = nil
  ) -> OnsideError {
    OnsideError(
      code, "no", reason: reason, cause: phase.map { RPCError(.unavailable, "no", phase: $0) })
  }

  @Test("A products request tells the app, the identifiers, the service and the way to it apart")
  func products() {
    let cases: [(OnsideError, OnsideProductsRequestError)] = [
      (error(.refused, .appNotRegistered), .appNotRegistered),
      (error(.refused, .appKeyRequired), .appNotRegistered),
      (error(.refused, .productIdentifierInvalid), .invalidProductIdentifier),
      (error(.refused, .tooManyProductIdentifiers), .invalidProductIdentifier),
      (error(.unavailable, nil, .answered), .serviceUnavailable),
      (error(.unavailable, nil, .connecting), .connectionError),
      (error(.deadlineExceeded, nil, .sent), .connectionError),
      (error(.cancelled), .cancelled), (error(.superseded), .cancelled),
      (error(.invalidResponse), .internalError), (error(.failed), .internalError),
    ]
    for (error, expected) in cases { #expect(OnsideProductsRequestError(error) == expected) }
  }

  @Test("The signed history says who isn't signed in, and where it isn't supported")
  func history() {
    #expect(OnsideSignedInAppsHistoryRequestError(error(.notSignedIn)) == .notLoggedIn)
    #expect(OnsideSignedInAppsHistoryRequestError(error(.sessionLost)) == .notLoggedIn)
    #expect(
      OnsideSignedInAppsHistoryRequestError(error(.notSupportedInLocalTesting))
        == .notSupportedInLocalTesting)
    #expect(
      OnsideSignedInAppsHistoryRequestError(error(.unavailable, nil, .sent)) == .connectionError)
  }

  @Test("A refused payment is one of three cases; any other failure becomes a failed transaction")
  func adding() {
    typealias Refusal = OnsidePaymentQueueAddProductError
    #expect(Refusal(error(.applePayRequired)) == .applePayRequired)
    #expect(Refusal(error(.refused, .applePayRequired)) == .applePayRequired)
    #expect(
      Refusal(error(.refused, .notSupportedForExternalLogin)) == .notSupportedForExternalLogin)
    #expect(Refusal(error(.superseded)) == .loginDiscarded)
    #expect(Refusal(error(.unavailable)) == nil)
  }

  @Test("A declined payment is a cancelled one for the app; what couldn't be shown is not")
  func transactions() {
    typealias Failure = PaymentTransaction.Failure
    let cases: [(Failure.Code, OnsidePaymentTransactionError)] = [
      (.cancelled, .cancelled), (.declined, .cancelled),
      (.presentationFailed, .presentationFailed), (.refused, .presentationFailed),
      (.storeFailed, .presentationFailed),
    ]
    for (code, expected) in cases {
      #expect(OnsidePaymentTransactionError(Failure(code, "no")) == expected)
    }
  }
}
