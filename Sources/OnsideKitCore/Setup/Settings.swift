import Foundation

/// The settings of the environment and of a configuration file.
///
/// The environment goes first. The file is named by `ONSIDE_CONFIGURATION`, or is `onside.json` in
/// the app's bundle or in the current folder.
struct Settings {
  /// One setting: its name in the environment, and its key in a file.
  enum Name: String, CaseIterable {
    case service = "ONSIDE_SERVICE"
    case appID = "ONSIDE_APP_ID"
    case appKeyFile = "ONSIDE_APP_KEY_FILE"
    case ca = "ONSIDE_CA"
    case certificate = "ONSIDE_CERTIFICATE"
    case key = "ONSIDE_KEY"
    case country = "ONSIDE_COUNTRY"
    case stateFolder = "ONSIDE_STATE_FOLDER"
    case presenter = "ONSIDE_PRESENTER"
    case applePay = "ONSIDE_APPLE_PAY"
    case receiptFolder = "ONSIDE_RECEIPT_FOLDER"

    /// `ONSIDE_APP_ID` is `app_id`.
    var fileKey: String { rawValue.dropFirst("ONSIDE_".count).lowercased() }
  }

  private let environment: [String: String]
  private let file: [String: String]

  /// What the file is called, for messages.
  let fileName: String?

  init(_ environment: [String: String], folder: String) throws(OnsideConfigurationError) {
    self.environment = environment
    fileName = Self.file(environment, folder)
    file = try fileName.map(Self.read) ?? [:]
  }

  /// A setting's value; nil: it isn't set, or is empty.
  subscript(_ name: Name) -> String? {
    let value = environment[name.rawValue] ?? file[name.fileKey]
    return value.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func file(_ environment: [String: String], _ folder: String) -> String? {
    if let named = environment["ONSIDE_CONFIGURATION"], !named.isEmpty { return named }
    let candidates = [Bundle.main.path(forResource: "onside", ofType: "json")].compactMap { $0 }
    return (candidates + [folder + "/onside.json"]).first {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  private static func read(_ path: String) throws(OnsideConfigurationError) -> [String: String] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OnsideConfigurationError("the configuration file \(path) can't be read")
    }
    let values: [String: String]
    do {
      values = try JSONDecoder().decode([String: String].self, from: data)
    } catch {
      throw OnsideConfigurationError("\(path) isn't a JSON object of strings: \(error)")
    }
    let known = Set(Name.allCases.map(\.fileKey))
    if let stranger = values.keys.sorted().first(where: { !known.contains($0) }) {
      throw OnsideConfigurationError(
        "\(path) has \"\(stranger)\", which isn't one of \(known.sorted().joined(separator: ", "))")
    }
    return values
  }
}
