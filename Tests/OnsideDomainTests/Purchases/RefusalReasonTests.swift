import Foundation
import OnsideDomain
import Testing

@Suite struct RefusalReasonTests {
  /// The text of the .proto file, in the package that these tests belong to.
  static func proto() throws -> String {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: package.appending(path: "Proto/onside/v1/common.proto"), encoding: .utf8)
  }

  @Test func mirrorsTheProtoFile() throws {
    let prefix = "ERROR_REASON_"
    let names = try Self.proto().split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count == 3, words[1] == "=", words[0].hasPrefix(prefix) else { return nil }
      return String(words[0].dropFirst(prefix.count))
    }
    #expect(names.count > 20)
    #expect(names.filter { $0 != "UNSPECIFIED" } == RefusalReason.allCases.map(\.rawValue))
  }

  /// The comments of the .proto file name the status of each reason.
  @Test func statusIsTheDocumentedOne() throws {
    let codes = [
      "INVALID_ARGUMENT": 3, "NOT_FOUND": 5, "ALREADY_EXISTS": 6, "PERMISSION_DENIED": 7,
      "RESOURCE_EXHAUSTED": 8, "FAILED_PRECONDITION": 9, "OUT_OF_RANGE": 11, "UNAVAILABLE": 14,
      "UNAUTHENTICATED": 16,
    ]
    var documented: Set<Int> = []
    var checked = 0
    for line in try Self.proto().split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      if line.hasPrefix("// "), line.contains(":") {
        let names = line.dropFirst(3).prefix { $0 != ":" }.split(separator: " ")
        documented = Set(names.compactMap { codes[String($0)] })
      } else if line.hasPrefix("ERROR_REASON_"),
        let name = line.split(separator: " ").first?.dropFirst("ERROR_REASON_".count),
        let reason = RefusalReason(rawValue: String(name))
      {
        #expect(documented.contains(reason.statusCode), "\(reason)")
        checked += 1
      }
    }
    #expect(checked == RefusalReason.allCases.count)
  }
}
