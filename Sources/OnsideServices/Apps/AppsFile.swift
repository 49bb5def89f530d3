import OnsideCatalogue
import OnsideDomain

/// The file of registered apps: a JSON document, which `Docs/operations.md` describes.
///
/// It is read strictly: a name that isn't known is an error, since a misspelt `key_sha256` that is
/// skipped would leave an app open to everybody.
public struct AppsFile: Sendable {
  /// The largest file that is read, in bytes.
  static let maximumBytes = 16 << 20

  /// Reads the file at a path.
  ///
  /// - Throws: `AppsFileError` with line and column.
  public static func read(_ path: String) throws(AppsFileError) -> AppRegistry {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try WholeFile.read(path, limit: maximumBytes)
    } catch {
      throw AppsFileError(file: path, reason: error.reason)
    }
    return try parse(bytes, file: path)
  }

  /// Reads the text of a file; `file` names it in errors.
  public static func parse(
    _ bytes: [UInt8], file: String
  ) throws(AppsFileError) -> AppRegistry {
    let document: JSONNode
    do throws(CatalogueProblem) {
      document = try JSONNode(document: bytes)
    } catch {
      throw AppsFileError(
        file: file, line: error.position?.line, column: error.position?.column,
        reason: error.reason)
    }
    do throws(JSONProblem) {
      return try registry(document)
    } catch {
      throw AppsFileError(
        file: file, line: error.position.line, column: error.position.column,
        reason: error.reason)
    }
  }

  private static func registry(_ document: JSONNode) throws(JSONProblem) -> AppRegistry {
    var fields = try JSONFields(document, of: "the document")
    let values = try fields.array("apps")
    try fields.finish()
    var apps: [RegisteredApp] = []
    var seen: [AppTag: String] = [:]
    for value in values {
      let app = try app(value)
      if let earlier = seen.updateValue(app.id, forKey: app.tag) {
        throw JSONProblem(
          position: value.position,
          reason: earlier == app.id
            ? "app \(Escaping.quoted(app.id)) is there twice"
            : "apps \(Escaping.quoted(earlier)) and \(Escaping.quoted(app.id)) have the same tag; "
              + "give one of them another identifier")
      }
      apps.append(app)
    }
    guard !apps.isEmpty else {
      throw JSONProblem(
        position: document.position, reason: "no apps; register at least one in \"apps\"")
    }
    return AppRegistry(apps)
  }

  private static func app(_ value: JSONNode) throws(JSONProblem) -> RegisteredApp {
    var fields = try JSONFields(value, of: "an app")
    let id = try fields.string("id") { text in
      Self.problem(of: text, .appID)
    }
    let name = try fields.optionalString("name") { text in
      text.isEmpty || text.utf8.count > 255 ? "a name has 1 to 255 bytes" : nil
    }
    let country = try fields.optionalString("country") { text in
      CountryCode(alpha2: text) == nil
        ? "\(Escaping.quoted(text)) isn't an ISO 3166-1 alpha-2 code such as \"DE\"" : nil
    }
    let keys = try fields.digests("key_sha256")
    let certificate = try fields.optional("client_certificate").map {
      value throws(JSONProblem) in try Self.certificate(value)
    }
    try fields.finish()
    return RegisteredApp(
      id: id, name: name ?? id, defaultCountry: country.flatMap { CountryCode(alpha2: $0) },
      keyHashes: keys, certificate: certificate)
  }

  private static func certificate(
    _ value: JSONNode
  ) throws(JSONProblem) -> CertificateRequirement {
    var fields = try JSONFields(value, of: "client_certificate")
    let fingerprints = try fields.digests("sha256")
    let subjects = try fields.strings("subject") { $0.isEmpty ? "a subject is empty" : nil }
    try fields.finish()
    guard !fingerprints.isEmpty || !subjects.isEmpty else {
      throw JSONProblem(
        position: value.position,
        reason: "client_certificate accepts none; give \"sha256\" or \"subject\", or leave it out")
    }
    return CertificateRequirement(fingerprints: fingerprints, subjects: subjects)
  }

  private static func problem(of text: String, _ rule: IdentifierRule) -> String? {
    do throws(InvalidIdentifier) {
      try rule.validate(text)
      return nil
    } catch {
      return error.description
    }
  }
}
