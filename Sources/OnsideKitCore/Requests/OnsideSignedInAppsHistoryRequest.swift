/// Loads the signed history of the user's purchases. Whoever made the request owns it: releasing it
/// cancels it.
///
/// Source: the SDK's page on the signed history.
public protocol OnsideSignedInAppsHistoryRequest: AnyObject {
  /// Gets the answer. Held weakly.
  @MainActor var delegate: (any OnsideSignedInAppsHistoryRequestDelegate)? { get set }

  /// Asks. While the answer is under way another call does nothing.
  @MainActor func start()

  /// Cancels: the delegate gets the error `cancelled`. Without a request under way, and after the
  /// answer, it does nothing.
  @MainActor func stop()
}

/// Gets the answer of a history request, on the main actor.
public protocol OnsideSignedInAppsHistoryRequestDelegate: AnyObject {
  /// The answer is there.
  @MainActor func onsideSignedInAppsHistoryRequest(
    _ request: any OnsideSignedInAppsHistoryRequest, didReceive history: OnsideSignedInAppsHistory)

  /// There is no answer. Optional.
  @MainActor func onsideSignedInAppsHistoryRequest(
    _ request: any OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError)

  /// The request is through, after its answer; not called after a failure. Optional.
  @MainActor func onsideSignedInAppsHistoryRequestDidFinish(
    _ request: any OnsideSignedInAppsHistoryRequest)
}

extension OnsideSignedInAppsHistoryRequestDelegate {
  /// Does nothing.
  @MainActor public func onsideSignedInAppsHistoryRequest(
    _ request: any OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError
  ) {}

  /// Does nothing.
  @MainActor public func onsideSignedInAppsHistoryRequestDidFinish(
    _ request: any OnsideSignedInAppsHistoryRequest
  ) {}
}
