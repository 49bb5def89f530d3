import OnsideClient
import OnsideDomain

extension PaymentQueue {
  func add(
    _ payment: OnsidePayment,
    completion: ((Result<Void, OnsidePaymentQueueAddProductError>) -> Void)?
  ) {
    Task { await enqueue(payment) { completion?($0) } }
  }

  /// Puts a payment into the queue. `taken` is told before any observer is about a failure.
  func enqueue(
    _ payment: OnsidePayment,
    _ taken: (Result<Void, OnsidePaymentQueueAddProductError>) -> Void
  ) async {
    do throws(OnsideError) {
      let product = try await product(of: payment)
      _ = try await instance.add(Payment(product, appAccountToken: payment.appAccountToken))
      taken(.success(()))
    } catch {
      if let refusal = OnsidePaymentQueueAddProductError(error) {
        taken(.failure(refusal))
      } else {
        taken(.success(()))
        fail(payment, error)
      }
    }
  }

  /// The product as the marketplace knows it; one that the app has kept is looked up again.
  private func product(of payment: OnsidePayment) async throws(OnsideError) -> ProductRecord {
    if let record = payment.product.record { return record }
    let identifier = payment.product.productIdentifier
    let list = try await instance.products([identifier])
    if let record = list.products.first { return record }
    if list.unsupportedIdentifiers.contains(identifier) {
      throw OnsideError(
        .notSupportedForExternalLogin, "an external profile can't buy \(identifier)")
    }
    throw OnsideError(.refused, "\(identifier) isn't sold here", reason: .productNotFound)
  }
}
