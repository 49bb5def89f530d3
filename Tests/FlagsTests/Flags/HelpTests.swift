import Testing

@testable import Flags

@Suite struct HelpTests {
  private func printed(_ words: [String], columns: Int = 80) throws -> String {
    guard case .print(let text) = try Sample.command.parse(words, columns: columns) else {
      Issue.record("nothing was printed")
      return ""
    }
    return text
  }

  @Test func helpOfASubcommandIsComplete() throws {
    let expected = """
      usage: load run SCENARIO [NAME…] --target HOST:PORT [options]

      Loads a server.

      Arguments:
        SCENARIO  what to do
        NAME…     further names

      Options:
        --target HOST:PORT  where the server is (required)

      Load:
        --connections N     how many connections (default: 64)
        --duration SECONDS  how long (default: 10)
        --seed N            of the random numbers
        --catalogue FILE…   catalogue files
        --json FILE         where the report goes

      General:
        --quiet    no progress
        --help     print this text and end
        --version  print the version and end

      Exit codes:
        0  success
        1  calls failed

      """
    #expect(try printed(["run", "--help"]) == expected)
    #expect(try printed(["run", "-h"]) == expected)
  }

  @Test func helpOfTheProgramListsCommands() throws {
    let text = try printed(["--help"])
    #expect(text.hasPrefix("usage: load COMMAND [options]\n\nA load generator.\n\nCommands:\n"))
    #expect(text.contains("  run     Loads a server.\n  report  Makes a page.\n"))
  }

  @Test func versionIsPrinted() throws {
    #expect(try printed(["--version"]) == "load 1.2\n")
    #expect(try printed(["run", "--version"]) == "load 1.2\n")
  }

  @Test func withoutAVersionThereIsNoSuchFlag() {
    let command = Command("c", summary: "s")
    #expect(throws: UsageError.self) { try command.parse(["--version"]) }
  }

  @Test(arguments: [40, 60, 80, 100])
  func linesAreWrappedToTheWidth(_ columns: Int) throws {
    let flag = Flag<Int>(
      "a-rather-long-name-of-a-flag", .integer(in: 1...9), default: 1,
      help: "a text that is long enough to need several lines of its column at any width there is")
    let short = Flag<Bool>(
      toggle: "short", help: "also long enough to be wrapped at the smallest of all the widths")
    let command = Command(
      "c", summary: "A summary that is also so long that it has to be wrapped at every width.",
      discussion: "One paragraph.\n  kept  as it is", elements: [flag, short])
    guard case .print(let text) = try command.parse(["--help"], columns: columns) else {
      Issue.record("nothing was printed")
      return
    }
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= columns })
    #expect(lines.contains("  kept  as it is"))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("several lines of its column at any width there is (default: 1)"))
  }

  @Test func exitCodesAreDistinctAndDescribed() {
    let codes = ExitCode.allCases
    #expect(Set(codes.map(\.rawValue)).count == codes.count)
    #expect(Set(codes.map(\.summary)).count == codes.count)
    #expect(codes.allSatisfy { (0...255).contains($0.rawValue) })
  }

  @Test(arguments: [
    ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("abcd", "abdc", 1),
    ("same", "same", 0),
  ])
  func editDistances(_ a: String, _ b: String, _ distance: Int) {
    #expect(editDistance(Array(a.utf8), Array(b.utf8)) == distance)
  }
}
