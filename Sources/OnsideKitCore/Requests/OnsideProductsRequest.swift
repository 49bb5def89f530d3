/// Loads products. Whoever made the request owns it: releasing it cancels it.
///
/// Source: the SDK's page on fetching products.
public protocol OnsideProductsRequest: AnyObject {
  /// Gets the answer. Held weakly.
  @MainActor var delegate: (any OnsideProductsRequestDelegate)? { get set }

  /// Asks. While the answer is under way another call does nothing.
  @MainActor func start()

  /// Cancels: the delegate gets the error `cancelled`. Without a request under way, and after the
  /// answer, it does nothing.
  @MainActor func stop()
}

/// Gets the answer of a products request, on the main actor.
public protocol OnsideProductsRequestDelegate: AnyObject {
  /// The answer is there.
  @MainActor func onsideProductsRequest(
    _ request: any OnsideProductsRequest, didReceive response: OnsideProductsResponse)

  /// There is no answer. By default `onsideProductsRequestRequest` is called.
  @MainActor func onsideProductsRequest(
    _ request: any OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError)

  /// An older spelling of the function above; called where that isn't implemented.
  @MainActor func onsideProductsRequestRequest(
    _ request: any OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError)

  /// The request is through, after its answer. Not called after a failure, as StoreKit's isn't.
  @MainActor func onsideProductsRequestDidFinish(_ request: any OnsideProductsRequest)
}

extension OnsideProductsRequestDelegate {
  /// Calls the older spelling.
  @MainActor public func onsideProductsRequest(
    _ request: any OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError
  ) {
    onsideProductsRequestRequest(request, didFailWithError: error)
  }

  /// Does nothing.
  @MainActor public func onsideProductsRequestRequest(
    _ request: any OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError
  ) {}

  /// Does nothing.
  @MainActor public func onsideProductsRequestDidFinish(_ request: any OnsideProductsRequest) {}
}
