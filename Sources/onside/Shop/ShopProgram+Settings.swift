import Flags
import Foundation
import OnsideShop

extension ShopProgram {
  /// `$XDG_STATE_HOME/onside/shop`, or below `~/.local/state`.
  static var defaultState: String {
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    return (state ?? (environment["HOME"] ?? ".") + "/.local/state") + "/onside/shop"
  }

  /// Where the marketplace keeps its state.
  var state: String {
    if let folder = arguments[flags.state] { return folder }
    let source = arguments[flags.storeKit] == nil ? arguments[options.target] : "local"
    let name = "\(arguments[options.app])@\(source)".map { character in
      character.isASCII && (character.isLetter || character.isNumber || "-.@_".contains(character))
        ? character : "_"
    }
    return Self.defaultState + "/" + String(name)
  }

  func settings() throws(Failure) -> Shop.Settings {
    let storeKit = arguments[flags.storeKit]
    let file = storeKit ?? arguments[flags.products]
    var identifiers = arguments[flags.identifiers]
    if let file, identifiers.isEmpty {
      do throws(ProductFile.Problem) {
        identifiers = try ProductFile.identifiers(path: file, app: arguments[options.app])
      } catch {
        throw Failure(.catalogue, error.description)
      }
    }
    return Shop.Settings(
      appID: arguments[options.app],
      source: storeKit.map { "\($0), without a server" } ?? arguments[options.target],
      productIdentifiers: identifiers,
      applePayToken: arguments[flags.noApplePay] ? nil : arguments[flags.applePay],
      receiptFolder: arguments[flags.receipts] ?? state + "/receipts",
      approvalCommand: approvalCommand)
  }

  /// How an administrator of the sandbox approves a login.
  private var approvalCommand: @Sendable (String) -> String {
    let server = " --target \(arguments[options.target])"
    let trust = arguments[options.ca].map { " --ca \($0)" } ?? ""
    return { login in
      "onside sandbox approve \(login) --phone +491701234567\(server)\(trust)"
        + " --certificate ADMIN.pem --key ADMIN.key"
    }
  }
}
