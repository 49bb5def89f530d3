import Foundation
import RPC
import Testing

/// As gRPC has it, some codes are for applications alone: a caller that sees one knows that the
/// service said it, and not what lies between.
@Suite struct ApplicationCodeTests {
  /// The library's modules; its own services are applications.
  private static let modules = ["RPC", "RPCCore", "RPCServer", "RPCClient"]

  @Test(arguments: [
    "invalidArgument", "notFound", "alreadyExists", "permissionDenied", "failedPrecondition",
    "aborted", "outOfRange", "dataLoss", "unauthenticated",
  ])
  func theLibraryNeverMakes(_ code: String) throws {
    var (places, files) = ([String](), 0)
    for module in Self.modules {
      let folder = packageRoot + "/Sources/" + module
      for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
      where path.hasSuffix(".swift") && !path.hasSuffix("/StatusCode.swift") {
        files += 1
        let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
        places += text.split(separator: "\n").filter { names(code, $0) }
          .map { "\(module)/\(path): \($0)" }
      }
    }
    #expect(places == [] && files > 100)
  }

  /// Whether a line of code, not of comments, names a status code.
  private func names(_ code: String, _ line: Substring) -> Bool {
    guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
    let words = line.split { !$0.isLetter && $0 != "." }
    return words.contains { $0 == "." + code || $0 == "StatusCode." + code }
  }
}
