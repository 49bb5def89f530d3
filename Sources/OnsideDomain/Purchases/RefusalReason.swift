/// What a call was refused for: `ErrorReason` of `common.proto`.
///
/// The raw value is the `reason` of the error on the wire: the name there without its prefix.
public enum RefusalReason: String, Hashable, Sendable, CaseIterable, Error {
  case appNotRegistered = "APP_NOT_REGISTERED"
  case appKeyRequired = "APP_KEY_REQUIRED"
  case appKeyInvalid = "APP_KEY_INVALID"
  case appCertificateRequired = "APP_CERTIFICATE_REQUIRED"
  case externalUserIDEmpty = "EXTERNAL_USER_ID_EMPTY"
  case externalUserIDInvalid = "EXTERNAL_USER_ID_INVALID"
  case sessionMissing = "SESSION_MISSING"
  case sessionExpired = "SESSION_EXPIRED"
  case sessionEnded = "SESSION_ENDED"
  case sessionInvalid = "SESSION_INVALID"
  case countryInvalid = "COUNTRY_INVALID"
  case productIdentifierInvalid = "PRODUCT_IDENTIFIER_INVALID"
  case tooManyProductIdentifiers = "TOO_MANY_PRODUCT_IDENTIFIERS"
  case productNotFound = "PRODUCT_NOT_FOUND"
  case notSupportedForExternalLogin = "NOT_SUPPORTED_FOR_EXTERNAL_LOGIN"
  case applePayRequired = "APPLE_PAY_REQUIRED"
  case priceChanged = "PRICE_CHANGED"
  case storefrontChanged = "STOREFRONT_CHANGED"
  case idempotencyKeyInvalid = "IDEMPOTENCY_KEY_INVALID"
  case idempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED"
  case paymentMethodInvalid = "PAYMENT_METHOD_INVALID"
  case processorUnavailable = "PROCESSOR_UNAVAILABLE"
  case transactionNotFound = "TRANSACTION_NOT_FOUND"
  case transactionNotFinal = "TRANSACTION_NOT_FINAL"
  case appAccountTokenInvalid = "APP_ACCOUNT_TOKEN_INVALID"
  case storeOverloaded = "STORE_OVERLOADED"
  case storeFailed = "STORE_FAILED"
  case pageTokenInvalid = "PAGE_TOKEN_INVALID"
  case alreadyOwned = "ALREADY_OWNED"
  case phoneNumberInvalid = "PHONE_NUMBER_INVALID"
  case phoneCodeWrong = "PHONE_CODE_WRONG"
  case phoneCodeExpired = "PHONE_CODE_EXPIRED"
  case phoneLimited = "PHONE_LIMITED"
  case storeLoginRefused = "STORE_LOGIN_REFUSED"
  case storeLoginExpired = "STORE_LOGIN_EXPIRED"
  case callbackSchemeInvalid = "CALLBACK_SCHEME_INVALID"
  case cardInvalid = "CARD_INVALID"
  case cardNotFound = "CARD_NOT_FOUND"
  case tooManyCards = "TOO_MANY_CARDS"
  case cursorInvalid = "CURSOR_INVALID"
  case eventInvalid = "EVENT_INVALID"
  case administratorRequired = "ADMINISTRATOR_REQUIRED"
  case sandboxNotFound = "SANDBOX_NOT_FOUND"
  case faultInvalid = "FAULT_INVALID"

  /// The domain of these reasons in an error on the wire.
  public static let domain = "onside.v1"

  /// The status that a call with this reason ends with, as gRPC numbers them.
  public var statusCode: Int {
    switch self {
    case .externalUserIDEmpty, .externalUserIDInvalid, .countryInvalid, .productIdentifierInvalid,
      .tooManyProductIdentifiers, .idempotencyKeyInvalid, .paymentMethodInvalid,
      .appAccountTokenInvalid, .pageTokenInvalid, .phoneNumberInvalid, .callbackSchemeInvalid,
      .cardInvalid, .eventInvalid, .faultInvalid:
      3  // INVALID_ARGUMENT
    case .appNotRegistered, .productNotFound, .transactionNotFound, .cardNotFound,
      .sandboxNotFound:
      5  // NOT_FOUND
    case .idempotencyKeyReused:
      6  // ALREADY_EXISTS
    case .appKeyInvalid, .administratorRequired:
      7  // PERMISSION_DENIED
    case .storeOverloaded, .phoneLimited, .tooManyCards:
      8  // RESOURCE_EXHAUSTED
    case .notSupportedForExternalLogin, .applePayRequired, .priceChanged, .storefrontChanged,
      .transactionNotFinal, .alreadyOwned:
      9  // FAILED_PRECONDITION
    case .cursorInvalid:
      11  // OUT_OF_RANGE
    case .processorUnavailable, .storeFailed:
      14  // UNAVAILABLE
    case .appKeyRequired, .appCertificateRequired, .sessionMissing, .sessionExpired, .sessionEnded,
      .sessionInvalid, .phoneCodeWrong, .phoneCodeExpired, .storeLoginRefused, .storeLoginExpired:
      16  // UNAUTHENTICATED
    }
  }
}
