// The errors of the interface. Source: the SDK's page of errors. None is a `LocalizedError`; each
// encodes as `{"caseName":{}}`, which Swift makes of an enum without values and the JavaScript
// bridge sends as it is.

/// Why a login came to nothing.
public enum OnsideLoginError: Error, Codable, Sendable {
  /// The user didn't sign in, or no way to sign in worked.
  case loginDiscarded
}

/// Why a payment wasn't put into the queue. There is no transaction to finish.
public enum OnsidePaymentQueueAddProductError: Error, Codable, Sendable {
  /// The payment needs a session, and the user didn't sign in.
  case loginDiscarded

  /// An external profile buys consumables only.
  case notSupportedForExternalLogin

  /// An external profile pays through Apple Pay, which isn't available: never in `OnsideKitLite`.
  case applePayRequired
}

/// Why a restore didn't start.
public enum OnsidePaymentQueueRequestRestoreError: Error, Codable, Sendable {
  /// A restore needs a session, and the user didn't sign in.
  case loginDiscarded
}

/// Why a restore that had started came to nothing.
public enum OnsideTransactionsRestoreError: Error, Codable, Sendable {
  /// The user logged out meanwhile.
  case cancelled

  /// The service couldn't be reached; try again.
  case connectionError

  /// The service doesn't know the app.
  case appNotRegistered

  /// The service can't answer now; try again later.
  case serviceUnavailable
  case internalError
}

/// Why a payment failed.
public enum OnsidePaymentTransactionError: Error, Codable, Sendable {
  /// The user didn't pay: closed the sheet, or the payment was declined.
  case cancelled

  /// The payment couldn't be made: the sheet wasn't shown, or the service refused before charging.
  case presentationFailed
}

/// Why a products request failed as a whole. Single unknown products are no error.
public enum OnsideProductsRequestError: Error, Codable, Sendable {
  /// `stop()` was called, or the user changed meanwhile.
  case cancelled

  /// The service couldn't be reached; try again.
  case connectionError

  /// The service doesn't know the app.
  case appNotRegistered

  /// An identifier is empty, too long or has control characters, or there are too many.
  case invalidProductIdentifier

  /// The service can't answer now; try again later.
  case serviceUnavailable
  case internalError
}

/// Why there is no signed history.
public enum OnsideSignedInAppsHistoryRequestError: Error, Codable, Sendable {
  /// Nobody is signed in; this request doesn't start a login.
  case notLoggedIn

  /// There is no service to sign in local testing.
  case notSupportedInLocalTesting

  /// `stop()` was called, or the user changed meanwhile.
  case cancelled

  /// The service couldn't be reached; try again.
  case connectionError

  /// The service doesn't know the app.
  case appNotRegistered

  /// The service can't answer now; try again later.
  case serviceUnavailable
  case internalError
}

/// Why the payment methods manager wasn't shown.
public enum OnsidePaymentMethodsManagerError: Error, Codable, Sendable {
  /// The manager needs a session, and the user didn't sign in.
  case loginDiscarded

  /// There are no cards in local testing.
  case notSupportedInLocalTesting

  /// External profiles keep no cards.
  case notSupportedForExternalLogin
}

/// Why there is no attribution.
public enum OnsideAttributionMetadataError: Error, Codable, Sendable {
  /// The service couldn't be reached; try again.
  case connectionError

  /// The service doesn't know the app.
  case appNotRegistered

  /// The service can't answer now; try again later.
  case serviceUnavailable
  case internalError
}
