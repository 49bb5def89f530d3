import OnsideDomain
import Testing

@testable import OnsideServices

@Suite("The file of registered apps")
struct AppsFileTests {
  private static let digest = String(repeating: "ab", count: 32)

  private func parse(_ text: String) throws(AppsFileError) -> AppRegistry {
    try AppsFile.parse(Array(text.utf8), file: "apps.json")
  }

  @Test("Everything that an app may be registered with is read")
  func whole() throws {
    let registry = try parse(
      """
      {"apps": [
        {"id": "com.example.shop", "name": "Shop \\u00e4", "country": "DE"},
        {"id": "com.example.game", "key_sha256": ["\(Self.digest)", "\(Self.digest.uppercased())"],
         "client_certificate": {"sha256": "\(Self.digest)", "subject": ["CN=a", "CN=b,O=c"]}}
      ]}
      """)
    #expect(registry.apps.map(\.id) == ["com.example.shop", "com.example.game"])
    let shop = try #require(registry.find("com.example.shop"))
    #expect(shop.name == "Shop ä")
    #expect(shop.defaultCountry == CountryCode(alpha2: "DE"))
    #expect(shop.isOpen)
    let game = try #require(registry.find("com.example.game"))
    #expect(game.name == "com.example.game")
    #expect(game.defaultCountry == nil)
    #expect(!game.isOpen)
    #expect(game.keyHashes == Array(repeating: [UInt8](repeating: 0xAB, count: 32), count: 2))
    #expect(game.certificate?.fingerprints == [[UInt8](repeating: 0xAB, count: 32)])
    #expect(game.certificate?.subjects == ["CN=a", "CN=b,O=c"])
    #expect(registry.find("com.example.none") == nil)
  }

  @Test(
    "A wrong file names file, line, column and reason",
    arguments: [
      ("", "apps.json:1:1: expected a JSON value, found the end"),
      ("[]", "apps.json:1:1: the document has to be an object, not an array"),
      ("{}", "apps.json:1:1: \"apps\" of the document is missing"),
      ("{\"apps\": []}", "apps.json:1:1: no apps"),
      ("{\"apps\": 3}", "apps.json:1:10: \"apps\" has to be an array, not a number"),
      ("{\"apps\": [{}]}", "apps.json:1:11: \"id\" of an app is missing"),
      ("{\"apps\": [\n  {\"id\": \"\"}]}", "apps.json:2:10: app identifier is empty"),
      (
        "{\"apps\": [\n {\"id\": \"a\", \"county\": \"DE\"}]}",
        "apps.json:2:24: an app has no \"county\""
      ),
      (
        "{\"apps\": [{\"id\": \"a\", \"country\": \"Germany\"}]}",
        "apps.json:1:34: \"Germany\" isn't an ISO"
      ),
      (
        "{\"apps\": [{\"id\": \"a\", \"key_sha256\": \"abc\"}]}",
        "apps.json:1:37: \"key_sha256\" has to be"
      ),
      (
        "{\"apps\": [{\"id\": \"a\", \"client_certificate\": {}}]}",
        "client_certificate accepts none"
      ),
      (
        "{\"apps\": [{\"id\": \"a\"}, {\"id\": \"a\"}]}", "apps.json:1:24: app \"a\" is there twice"
      ),
      ("{\"apps\": [{\"id\": \"a\", \"id\": \"b\"}]}", "apps.json:1:29: \"id\" is there twice"),
      ("{\"apps\": [{\"id\": \"a\"},]}", "apps.json:1:23: expected a JSON value"),
      ("{\"apps\": [{\"id\": \"a\"}]} x", "apps.json:1:25: expected the end"),
      ("{\"apps\": [{\"id\": \"a\u{7}\"}]}", "control character"),
    ])
  func wrong(_ text: String, _ expected: String) {
    let error = #expect(throws: AppsFileError.self) { try parse(text) }
    #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
  }

  @Test("A file that can't be read is named with the system's reason")
  func unreadable() throws {
    let error = #expect(throws: AppsFileError.self) { try AppsFile.read("/nowhere/apps.json") }
    #expect(error?.description == "/nowhere/apps.json: can't be opened: No such file or directory")
    let folder = #expect(throws: AppsFileError.self) { try AppsFile.read("/tmp") }
    #expect(folder?.reason.contains("can't be read") == true)
  }

  @Test("Hundreds of apps are found by identifier, and no other is")
  func many() {
    let registry = AppRegistry(
      (0..<500).map { RegisteredApp(id: "app.\($0)", name: "\($0)") })
    for index in 0..<500 { #expect(registry.find("app.\(index)")?.name == "\(index)") }
    #expect(registry.find("app.500") == nil)
    #expect(registry.find("") == nil)
  }
}
