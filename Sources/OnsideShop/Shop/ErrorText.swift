import OnsideClient
import OnsideDomain

/// What went wrong, and what a person can do about it.
enum ErrorText {
  static func of(_ error: OnsideError) -> String {
    let message = sentence(PlainText.of(error.message))
    return advice(error).map { "\(message) \($0)" } ?? message
  }

  private static func advice(_ error: OnsideError) -> String? {
    switch error.reason {
    case .appNotRegistered: return "Name the app that the service knows with --app."
    case .appKeyRequired, .appKeyInvalid: return "Give the app's key with --app-key-file."
    case .appCertificateRequired:
      return "Give the app's certificate with --certificate and --key."
    case .alreadyOwned: return "Restore purchases to have it again."
    case .productNotFound: return "Browse again: it may be sold elsewhere only."
    case .transactionNotFinal: return "Its outcome isn't known yet; wait until it is told here."
    case .phoneLimited: return "Try again later."
    default: break
    }
    switch error.code {
    case .unavailable:
      return "Try again; if it stays so, check the network, --target and --ca."
    case .deadlineExceeded: return "Try again, or allow more time with --timeout."
    case .notSignedIn, .sessionLost: return "Log in, and try again."
    case .superseded: return "Try again."
    case .notSupportedForExternalLogin:
      return "Log out, and log in by phone or through the store app, to have it."
    case .applePayRequired: return "Start the shop without --no-apple-pay to pay with it."
    case .notSupportedInLocalTesting: return "Start the shop without --storekit to have it."
    case .storeFailed: return "Check the folder of --state."
    default: return nil
    }
  }

  private static func sentence(_ text: String) -> String {
    guard let first = text.first, let last = text.last else { return "It failed." }
    let end = ".!?".contains(last) ? "" : "."
    return first.uppercased() + text.dropFirst() + end
  }
}
