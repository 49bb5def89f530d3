import Foundation
import Testing

/// `Docs/onside-compatibility.md` says that it goes through the public interface symbol by symbol.
@Suite("The page on compatibility") struct CompatibilityPageTests {
  /// What every sequence and every described type has.
  private static let ordinary: Set<String> = [
    "AsyncIterator", "Element", "Failure", "makeAsyncIterator", "next", "customMirror",
    "debugDescription",
  ]

  @Test("It has every public symbol of the library")
  func complete() throws {
    let page = try String(
      contentsOfFile: Package.root + "/Docs/onside-compatibility.md", encoding: .utf8)
    let words = Set(page.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    let files = try ["OnsideKit", "OnsideKitLite", "OnsideKitCore"].flatMap {
      try sources(in: "Sources/" + $0)
    }
    let symbols = try Set(files.flatMap(Self.symbols)).subtracting(Self.ordinary)
    #expect(symbols.count > 100)
    // Functions of delegates are there by the part of their names that tells them apart.
    let missing = symbols.filter { symbol in
      !words.contains(symbol) && !words.contains { symbol.hasSuffix($0) && $0.count > 12 }
    }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  /// The names that a source file declares as public.
  private static func symbols(in file: String) throws -> [String] {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let declaration =
      #/
      public\s(?:static\s|final\s|indirect\s|weak\s)*
      (?:class|struct|enum|protocol|typealias|func|var|let)\s(\w+)
      /#
    return text.matches(of: declaration).map { String($0.1) }
  }
}
