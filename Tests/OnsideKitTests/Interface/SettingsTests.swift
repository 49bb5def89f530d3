import Foundation
@testable import OnsideKitCore
import Testing

@Suite("How the library finds the service")
struct SettingsTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/onside-set-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test("The environment says it, and goes before a file")
  func environment() throws {
    try inFolder { folder in
      try write(
        #"{"service": "a:1", "app_id": "com.example.file", "country": "DE"}"#,
        folder + "/onside.json")
      let environment = ["ONSIDE_SERVICE": "b:2", "HOME": "/home/me"]
      let configuration = try OnsideConfiguration(
        try Settings(environment, folder: folder), environment)
      #expect(configuration.service == "b:2")
      #expect(configuration.appID == "com.example.file")
      #expect(configuration.country == "DE")
      #expect(configuration.stateFolder == "/home/me/.local/state/onside/com.example.file")
    }
  }

  @Test("What is missing or wrong is named with the way to say it")
  func problems() throws {
    try inFolder { folder in
      let cases: [([String: String], String)] = [
        ([:], "set ONSIDE_SERVICE"),
        (["ONSIDE_SERVICE": "a:1"], "set ONSIDE_APP_ID"),
        (["ONSIDE_SERVICE": "a:1", "ONSIDE_APP_ID": "x", "ONSIDE_PRESENTER": "tv"], "\"tv\""),
        (["ONSIDE_CONFIGURATION": folder + "/none.json"], "none.json can't be read"),
        (
          ["ONSIDE_SERVICE": "a:1", "ONSIDE_APP_ID": "x", "ONSIDE_APP_KEY_FILE": "/none"],
          "/none can't be read"
        ),
      ]
      for (environment, expected) in cases {
        let error = #expect(throws: OnsideConfigurationError.self) {
          try OnsideConfiguration(try Settings(environment, folder: folder), environment)
        }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
      }
      try write(#"{"servise": "a:1"}"#, folder + "/onside.json")
      let error = #expect(throws: OnsideConfigurationError.self) {
        try Settings([:], folder: folder)
      }
      #expect(error?.description.contains("\"servise\"") == true)
    }
  }

  @Test("An app's identifier can't lead out of the state folder")
  func stateFolder() {
    let environment = ["XDG_STATE_HOME": "/state"]
    #expect(OnsideConfiguration.stateFolder("a/../b", environment) == "/state/onside/a_.._b")
    #expect(OnsideConfiguration.stateFolder("..", environment) == nil)
    #expect(OnsideConfiguration.stateFolder("a", [:]) == nil)
  }

  @Test("No description of a configuration has the app's key")
  func secrecy() {
    let configuration = OnsideConfiguration(service: "a:1", appID: "x", appKey: "secret-key")
    var dumped = ""
    dump(configuration, to: &dumped)
    #expect(!"\(configuration) \(dumped) \(String(reflecting: configuration))".contains("secret"))
  }
}
