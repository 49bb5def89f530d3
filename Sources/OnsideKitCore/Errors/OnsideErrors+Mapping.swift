import OnsideClient
import OnsideDomain

extension OnsideProductsRequestError {
  init(_ error: OnsideError) {
    self =
      switch ServiceFailure(error) {
      case .cancelled: .cancelled
      case .connectionError: .connectionError
      case .appNotRegistered: .appNotRegistered
      case .invalidProductIdentifier: .invalidProductIdentifier
      case .serviceUnavailable: .serviceUnavailable
      case .internalError: .internalError
      }
  }
}

extension OnsideTransactionsRestoreError {
  init(_ error: OnsideError) {
    self =
      switch ServiceFailure(error) {
      case .cancelled: .cancelled
      case .connectionError: .connectionError
      case .appNotRegistered: .appNotRegistered
      case .serviceUnavailable: .serviceUnavailable
      case .invalidProductIdentifier, .internalError: .internalError
      }
  }
}

extension OnsideSignedInAppsHistoryRequestError {
  init(_ error: OnsideError) {
    switch error.code {
    case .notSignedIn, .sessionLost: self = .notLoggedIn
    case .notSupportedInLocalTesting: self = .notSupportedInLocalTesting
    default:
      self =
        switch ServiceFailure(error) {
        case .cancelled: .cancelled
        case .connectionError: .connectionError
        case .appNotRegistered: .appNotRegistered
        case .serviceUnavailable: .serviceUnavailable
        case .invalidProductIdentifier, .internalError: .internalError
        }
    }
  }
}

extension OnsideAttributionMetadataError {
  init(_ error: OnsideError) {
    self =
      switch ServiceFailure(error) {
      case .connectionError, .cancelled: .connectionError
      case .appNotRegistered: .appNotRegistered
      case .serviceUnavailable: .serviceUnavailable
      case .invalidProductIdentifier, .internalError: .internalError
      }
  }
}

extension OnsidePaymentTransactionError {
  init(_ failure: PaymentTransaction.Failure) {
    switch failure.code {
    case .cancelled, .declined: self = .cancelled
    default: self = .presentationFailed
    }
  }
}

extension OnsidePaymentMethodsManagerError {
  /// A manager that couldn't load its cards was closed, as far as this interface can say.
  init(_ error: OnsideError) {
    switch error.code {
    case .notSupportedInLocalTesting: self = .notSupportedInLocalTesting
    case .notSupportedForExternalLogin: self = .notSupportedForExternalLogin
    default:
      self =
        error.reason == .notSupportedForExternalLogin
        ? .notSupportedForExternalLogin : .loginDiscarded
    }
  }
}

extension OnsidePaymentQueueAddProductError {
  /// Nil: a failure that isn't one of the interface's, so that the payment becomes a failed
  /// transaction.
  init?(_ error: OnsideError) {
    switch (error.code, error.reason) {
    case (.notSupportedForExternalLogin, _), (_, .notSupportedForExternalLogin):
      self = .notSupportedForExternalLogin
    case (.applePayRequired, _), (_, .applePayRequired): self = .applePayRequired
    case (.loginDiscarded, _), (.superseded, _), (.notSignedIn, _), (.sessionLost, _):
      self = .loginDiscarded
    default: return nil
    }
  }
}
