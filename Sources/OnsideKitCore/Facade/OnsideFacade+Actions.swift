extension OnsideFacade {
  /// Signs the user in, unless somebody is signed in.
  ///
  /// Source of the order: external-login.txt. With an external login delegate its identifier is
  /// used; without one, or if the session can't be made, `onsideLoginMethod()`; if the session was
  /// made but its profile can't be loaded, the login by phone.
  public static func requestLogin(
    completion: (@MainActor (Result<Void, OnsideLoginError>) -> Void)? = nil
  ) {
    let runtime = Runtime.shared
    Task { completion?(await runtime.requestLogin()) }
  }

  /// Ends the session. The user stays signed in to the app's own account system.
  public static func logout() { Runtime.shared.logOut() }

  /// A request for products. It works without a session too.
  ///
  /// - Parameter productIdentifiers: the marketplace's identifiers.
  public static func makeProductsRequest(
    productIdentifiers: Set<String>
  ) -> any OnsideProductsRequest {
    ProductsRequest(Runtime.shared.instance, productIdentifiers)
  }

  /// A request for the user's purchases, signed for the app's backend. It doesn't start a login:
  /// without a session it fails with `notLoggedIn`, in local testing with
  /// `notSupportedInLocalTesting`.
  public static func makeSignedInAppsHistoryRequest() -> Result<
    any OnsideSignedInAppsHistoryRequest, OnsideSignedInAppsHistoryRequestError
  > {
    let instance = Runtime.shared.instance
    if let refusal = instance.historyRefusal { return .failure(refusal) }
    return .success(HistoryRequest(instance))
  }

  /// Shows the user's saved cards, after a login if there is no session. Regular profiles only.
  public static func presentPaymentMethodsManager(
    completion: (@MainActor (Result<Void, OnsidePaymentMethodsManagerError>) -> Void)? = nil
  ) {
    let runtime = Runtime.shared
    Task { completion?(await runtime.managePaymentMethods()) }
  }

  /// Where this installation of the app came from: asked of the service once, and kept.
  public static func getAttributionMetadata(
    completion:
      @escaping @MainActor (
        Result<OnsideAttributionMetadata, OnsideAttributionMetadataError>
      ) -> Void
  ) {
    let runtime = Runtime.shared
    Task { completion(await runtime.attribution()) }
  }
}
