import OnsideProto
import RPC
import RPCClient

extension CallPolicies {
  /// What programs of people do when a call of the marketplace fails for a moment: they send it
  /// again, up to three times, after 50, 100 and 200 ms with jitter.
  ///
  /// Only UNAVAILABLE is such a failure: the connection was lost, or the service says so itself.
  /// Only calls that may run twice are repeated (`idempotency_level` in `Proto/onside/v1`): a code
  /// isn't sent to a phone twice, nor a login begun twice. The client's throttle stops all of it
  /// while most calls fail. A purchase has its idempotency key, and is repeated by
  /// ``OnsideClient/purchase(_:)``.
  public static var marketplace: CallPolicies {
    let services = [
      LoginServiceMethods.descriptor, ProductsServiceMethods.descriptor,
      PaymentsServiceMethods.descriptor, AnalyticsServiceMethods.descriptor,
    ]
    let policy = CallPolicy.retry(RetryPolicy())
    return CallPolicies(
      services: Dictionary(uniqueKeysWithValues: services.map { ($0.name, policy) }),
      methods: [PaymentsServiceMethods.createPurchase.path: .once])
  }
}
