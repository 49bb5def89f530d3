import OnsideKitCore

// The functions with completions, to be awaited.

extension OnsideFacade {
  static func requestLogin() async -> Result<Void, OnsideLoginError> {
    await withCheckedContinuation { continuation in
      requestLogin { continuation.resume(returning: $0) }
    }
  }

  static func showPaymentMethods() async -> Result<Void, OnsidePaymentMethodsManagerError> {
    await withCheckedContinuation { continuation in
      presentPaymentMethodsManager { continuation.resume(returning: $0) }
    }
  }

  /// Buys the first product of these identifiers; the result is the completion's.
  static func buy(
    _ product: OnsideProduct, token: String? = nil
  ) async -> Result<Void, OnsidePaymentQueueAddProductError> {
    var payment = OnsidePayment(product: product)
    payment.appAccountToken = token
    return await withCheckedContinuation { continuation in
      defaultPaymentQueue().add(payment) { continuation.resume(returning: $0) }
    }
  }

  /// Asks for products with a request and its delegate.
  static func load(
    _ identifiers: Set<String>
  ) async -> Result<OnsideProductsResponse, OnsideProductsRequestError> {
    let request = makeProductsRequest(productIdentifiers: identifiers)
    let delegate = ProductsRecorder()
    request.delegate = delegate
    request.start()
    return await delegate.answer()
  }
}

extension Result where Success == Void, Failure == OnsideLoginError {
  /// Nobody is signed in: the user closed the login.
  var isDiscarded: Bool {
    if case .failure(.loginDiscarded) = self { true } else { false }
  }
}

/// An answer that comes once, and whoever waits for it.
@MainActor final class Awaited<Answer: Sendable> {
  private var last: Answer?
  private var waiter: CheckedContinuation<Answer, Never>?

  func answer() async -> Answer {
    if let last { return last }
    return await withCheckedContinuation { waiter = $0 }
  }

  func take(_ answer: Answer) {
    last = answer
    waiter?.resume(returning: answer)
    waiter = nil
  }
}

/// Takes the answer of one products request.
@MainActor final class ProductsRecorder: OnsideProductsRequestDelegate {
  typealias Answer = Result<OnsideProductsResponse, OnsideProductsRequestError>

  private(set) var calls: [String] = []
  private var response: OnsideProductsResponse?
  private let awaited = Awaited<Answer>()

  func answer() async -> Answer { await awaited.answer() }

  func onsideProductsRequest(
    _ request: any OnsideProductsRequest, didReceive response: OnsideProductsResponse
  ) {
    calls.append("received")
    self.response = response
  }

  func onsideProductsRequest(
    _ request: any OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError
  ) {
    calls.append("failed")
    awaited.take(.failure(error))
  }

  func onsideProductsRequestDidFinish(_ request: any OnsideProductsRequest) {
    calls.append("finished")
    if let response { awaited.take(.success(response)) }
  }
}

/// The tests of the static interface: there is one for the process, so they take turns.
enum SharedLibrary {}
