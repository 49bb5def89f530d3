import OnsideClient
import OnsideDomain
import RPC

/// What the requests of the interface tell apart about a failed call.
///
/// Source: the SDK's page of errors: an unknown app is `appNotRegistered`, a service that fails
/// `serviceUnavailable`, a failed transport `connectionError`, anything else `internalError`, and
/// `stop()` or the user `cancelled`.
enum ServiceFailure {
  case cancelled
  case connectionError
  case appNotRegistered
  case invalidProductIdentifier
  case serviceUnavailable
  case internalError

  init(_ error: OnsideError) {
    switch error.reason {
    case .appNotRegistered, .appKeyRequired, .appKeyInvalid, .appCertificateRequired:
      self = .appNotRegistered
    case .productIdentifierInvalid, .tooManyProductIdentifiers:
      self = .invalidProductIdentifier
    default: self.init(error.code, error.cause)
    }
  }

  private init(_ code: OnsideError.Code, _ cause: RPCError?) {
    switch code {
    case .cancelled, .superseded: self = .cancelled
    case .deadlineExceeded: self = .connectionError
    // Without the call there was no answer, so the service wasn't reached.
    case .unavailable: self = cause?.phase == .answered ? .serviceUnavailable : .connectionError
    default: self = .internalError
    }
  }
}
