import Foundation
import OnsideClient

extension OnsideConfiguration {
  /// The configuration that `Onside.initialize()` uses.
  ///
  /// | variable | meaning |
  /// |---|---|
  /// | `ONSIDE_SERVICE` | where the service is, `HOST:PORT`; required |
  /// | `ONSIDE_APP_ID` | the app; by default the bundle's identifier |
  /// | `ONSIDE_APP_KEY_FILE` | a file with the app's key |
  /// | `ONSIDE_CA` | the file of the CA that signed the server's certificate |
  /// | `ONSIDE_CERTIFICATE`, `ONSIDE_KEY` | files of a client certificate and its key |
  /// | `ONSIDE_COUNTRY` | ISO 3166-1 alpha-2 |
  /// | `ONSIDE_STATE_FOLDER` | where queue and session are kept; by default a folder of the user |
  /// | `ONSIDE_PRESENTER` | `terminal` (the default at one), `none`, or `sandbox`: always pays |
  /// | `ONSIDE_APPLE_PAY` | the test token of the terminal's Apple Pay: `sandbox-paid` |
  /// | `ONSIDE_RECEIPT_FOLDER` | where the terminal keeps receipts; by default the current folder |
  /// | `ONSIDE_CONFIGURATION` | a JSON file with the same settings: `service`, `app_id`, … |
  ///
  /// The environment goes before the file. Without a name, the file is `onside.json` in the app's
  /// bundle or in the current folder, if there is one.
  ///
  /// - Throws: what is missing or wrong.
  public static func fromEnvironment(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(OnsideConfigurationError) -> OnsideConfiguration {
    let folder = FileManager.default.currentDirectoryPath
    return try OnsideConfiguration(try Settings(environment, folder: folder), environment)
  }

  init(_ settings: Settings, _ environment: [String: String]) throws(OnsideConfigurationError) {
    guard let service = settings[.service] else {
      throw OnsideConfigurationError(
        "it isn't known where the service is; set ONSIDE_SERVICE to HOST:PORT, or \"service\" in "
          + (settings.fileName ?? "onside.json"))
    }
    let appID = try Self.appID(settings)
    self.init(
      service: service, appID: appID, appKey: try Self.appKey(settings), caFile: settings[.ca],
      clientCertificateFile: settings[.certificate], clientKeyFile: settings[.key],
      country: settings[.country],
      stateFolder: settings[.stateFolder] ?? Self.stateFolder(appID, environment),
      presenter: try Self.presenter(settings))
  }

  static func appID(_ settings: Settings) throws(OnsideConfigurationError) -> String {
    guard let appID = settings[.appID] ?? Bundle.main.bundleIdentifier else {
      throw OnsideConfigurationError(
        "it isn't known which app this is; set ONSIDE_APP_ID, or \"app_id\" in "
          + (settings.fileName ?? "onside.json"))
    }
    return appID
  }

  private static func appKey(_ settings: Settings) throws(OnsideConfigurationError) -> String? {
    guard let path = settings[.appKeyFile] else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OnsideConfigurationError("ONSIDE_APP_KEY_FILE: \(path) can't be read")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  static func presenter(_ settings: Settings) throws(OnsideConfigurationError) -> any Presenter {
    switch settings[.presenter] {
    case nil: StandardTerminal.isThere ? terminal(settings) : HeadlessPresenter()
    case "terminal": terminal(settings)
    case "none": HeadlessPresenter()
    case "sandbox": ScriptedPresenter()
    case .some(let other):
      throw OnsideConfigurationError(
        "ONSIDE_PRESENTER is \"\(other)\"; it can be terminal, none or sandbox")
    }
  }

  private static func terminal(_ settings: Settings) -> TerminalPresenter {
    let receipts = ReceiptFolder(
      path: settings[.receiptFolder] ?? FileManager.default.currentDirectoryPath)
    var applePay: (@Sendable () -> String)?
    if let token = settings[.applePay] { applePay = { token } }
    return TerminalPresenter(
      StandardTerminal(), applePayToken: applePay,
      keepReceipt: { receipts.keep($0) })
  }

  /// The user's own folder for an app's state, as the XDG base directory specification has it.
  static func stateFolder(_ appID: String, _ environment: [String: String]) -> String? {
    let base: String
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      base = state
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      base = home + "/.local/state"
    } else {
      return nil
    }
    // An identifier is no path.
    let name = String(appID.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
    return name.hasPrefix(".") ? nil : "\(base)/onside/\(name)"
  }
}
