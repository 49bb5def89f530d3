import Foundation
import Testing

/// Arithmetic without overflow checks and memory access without bounds say why they are right,
/// where they are (row 5).
@Suite struct UncheckedArithmeticTests {
  private static let folders = [
    "Sources/RPCCore", "Sources/ProtobufWire/Reading", "Sources/RPC/Compression",
  ]

  /// The lines of all sources, with the three before each.
  private func lines() throws -> [(place: String, line: String, before: [String])] {
    try Self.folders.flatMap { folder in
      let root = PackageFile.root + "/" + folder
      let names = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
      return try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
        let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.enumerated().map { index, line in
          ("\(name):\(index + 1)", line, Array(lines[max(0, index - 4)..<index]))
        }
      }
    }
  }

  @Test func whatIsUncheckedHasItsReason() throws {
    let unchecked = ["&+", "&-", "&*", "unsafeLoad", "unsafeBitCast", "assumingMemoryBound"]
    var found = 0
    for (place, line, before) in try lines() {
      let code = line.components(separatedBy: "//")[0]
      guard unchecked.contains(where: code.contains) else { continue }
      found += 1
      let hasReason = line.contains("//") || before.contains { $0.contains("//") }
      #expect(hasReason, "\(place): \(line)")
    }
    #expect(found > 5)
  }
}
