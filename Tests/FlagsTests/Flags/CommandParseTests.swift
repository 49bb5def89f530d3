import Testing

@testable import Flags

/// A command with one flag of every form.
enum Sample {
  static let target = Flag<String>(required: "target", .hostPort(), help: "where the server is")
  static let connections = Flag<Int>(
    "connections", .integer(in: 1...100_000), default: 64, help: "how many connections")
  static let duration = Flag<Double>(
    "duration", .seconds(in: 0.1...86_400), default: 10, help: "how long")
  static let seed = Flag<Int?>("seed", .integer(in: 0...Int.max), help: "of the random numbers")
  static let catalogue = Flag<[String]>(list: "catalogue", .file, help: "catalogue files")
  static let json = Flag<String?>("json", .file, help: "where the report goes")
  static let quiet = Flag<Bool>(toggle: "quiet", help: "no progress")
  static let scenario = Flag<String>(
    argument: "SCENARIO", .choice(of: ["session-create", "purchase"]), help: "what to do")
  static let names = Flag<[String]>(arguments: "NAME", .text(), help: "further names")

  static let run = Command(
    "run", summary: "Loads a server.",
    elements: [
      scenario, names, target, Heading("Load"), connections, duration, seed, catalogue, json,
    ],
    exitCodes: [(.success, nil), (.failure, "calls failed")])
  static let command = Command(
    "load", summary: "A load generator.", version: "1.2", elements: [quiet],
    subcommands: [run, Command("report", summary: "Makes a page.")])

  static func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
    switch try command.parse(words) {
    case .run(let arguments): return arguments
    case .print(let text): throw UsageError(.unknownCommand, "printed \(text)")
    }
  }

  static func error(_ words: String...) -> UsageError? {
    do throws(UsageError) {
      _ = try command.parse(words)
      return nil
    } catch {
      return error
    }
  }
}

@Suite struct CommandParseTests {
  @Test func valuesInBothSpellings() throws {
    let parsed = try Sample.parse(
      "run", "purchase", "--target", "localhost:9443", "--connections=3", "--duration", "0.5")
    #expect(parsed.path == ["run"])
    #expect(parsed[Sample.scenario] == "purchase")
    #expect(parsed[Sample.target] == "localhost:9443")
    #expect(parsed[Sample.connections] == 3)
    #expect(parsed[Sample.duration] == 0.5)
  }

  @Test func defaultsApplyWhenNothingIsGiven() throws {
    let parsed = try Sample.parse("run", "purchase", "--target", "h:1")
    #expect(parsed[Sample.connections] == 64)
    #expect(parsed[Sample.seed] == nil)
    #expect(parsed[Sample.catalogue] == [])
    #expect(parsed[Sample.json] == nil)
    #expect(parsed[Sample.quiet] == false)
    #expect(!parsed.isGiven(Sample.connections))
    #expect(parsed.isGiven(Sample.target))
  }

  @Test func listTakesWordsUpToTheNextFlagAndRepeats() throws {
    let parsed = try Sample.parse(
      "run", "purchase", "--catalogue", "a", "b", "--target", "h:1", "--catalogue=c",
      "--catalogue", "d", "--", "name")
    #expect(parsed[Sample.catalogue] == ["a", "b", "c", "d"])
    #expect(parsed[Sample.names] == ["name"])
  }

  @Test func toggleOfTheParentStandsAnywhere() throws {
    for words in [
      ["--quiet", "run", "purchase", "--target", "h:1"],
      ["run", "purchase", "--quiet", "--target", "h:1"],
    ] {
      guard case .run(let parsed) = try Sample.command.parse(words) else {
        Issue.record("help was printed")
        continue
      }
      #expect(parsed[Sample.quiet])
    }
  }

  @Test func dashIsAValueAndDoubleDashEndsFlags() throws {
    let parsed = try Sample.parse(
      "run", "--json", "-", "--target", "h:1", "--", "purchase", "--odd", "-x")
    #expect(parsed[Sample.json] == "-")
    #expect(parsed[Sample.names] == ["--odd", "-x"])
  }

  @Test func emptyValueAfterEqualsSignIsRefused() {
    #expect(Sample.error("run", "purchase", "--target=")?.code == .invalidValue)
  }

  @Test func unknownFlagNamesTheNearest() {
    let error = Sample.error("run", "purchase", "--conections", "3")
    #expect(error?.code == .unknownFlag)
    #expect(
      error?.description
        == "load run: unknown flag \"--conections\"; did you mean --connections?"
        + " (see load run --help)")
    #expect(Sample.error("run", "--zzzzzz")?.message == "unknown flag \"--zzzzzz\"")
    #expect(Sample.error("run", "-x")?.code == .unknownFlag)
  }

  @Test func trailingFlagWithoutValueIsRefused() {
    for words in [["--connections"], ["--connections", "--seed", "1"], ["--catalogue", "--seed"]] {
      let error = errorOf(["run", "purchase", "--target", "h:1"] + words)
      #expect(error?.code == .missingValue)
    }
  }

  private func errorOf(_ words: [String]) -> UsageError? {
    do throws(UsageError) {
      _ = try Sample.command.parse(words)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["0", "-1", "100001", "x", "", "1.5", "1e3", "99999999999999999999", "+ 1"])
  func wholeNumberOutOfRangeIsRefused(_ text: String) {
    let error = Sample.error("run", "purchase", "--target", "h:1", "--connections", text)
    #expect(error?.code == .invalidValue)
    #expect(
      error?.message
        == "--connections \"\(text)\": expected a whole number from 1 to 100000")
  }

  @Test(arguments: [
    "nan", "NaN", "inf", "-inf", "infinity", "0", "-0", "-5", "0x10", "1e999", "5h",
  ])
  func secondsThatAreNoneAreRefused(_ text: String) {
    let error = Sample.error("run", "purchase", "--target", "h:1", "--duration=\(text)")
    #expect(error?.code == .invalidValue)
  }

  @Test(arguments: [("2", 2.0), ("500ms", 0.5), ("1.5s", 1.5), ("2m", 120), ("1e1", 10)])
  func secondsTakeUnits(_ text: String, _ seconds: Double) throws {
    let parsed = try Sample.parse("run", "purchase", "--target", "h:1", "--duration", text)
    #expect(parsed[Sample.duration] == seconds)
  }

  @Test(arguments: ["h:1", "127.0.0.1:65535", "[::1]:443", "unix:/tmp/s", "example.com:80"])
  func addressesAreKeptAsWritten(_ text: String) throws {
    #expect(try Sample.parse("run", "purchase", "--target", text)[Sample.target] == text)
  }

  @Test(arguments: [
    "h", ":1", "h:", "h:0", "h:65536", "::1:443", "[]:1", "unix:", "h:-1", "h:+1", "a b:1", "h:1x",
  ])
  func badAddressesAreRefused(_ text: String) {
    #expect(Sample.error("run", "purchase", "--target", text)?.code == .invalidValue)
  }

  @Test func portZeroIsForListeners() {
    #expect(ValueKind.hostPort(portZero: true).read("127.0.0.1:0") == "127.0.0.1:0")
    #expect(ValueKind.hostPort().read("127.0.0.1:0") == nil)
  }

  @Test func repeatedSingleFlagIsRefused() {
    let error = Sample.error("run", "purchase", "--seed", "1", "--seed", "2")
    #expect(error?.code == .repeated)
  }

  @Test func toggleTakesNoValue() {
    #expect(Sample.error("run", "--quiet=yes")?.code == .invalidValue)
  }

  @Test func missingThingsAreNamed() {
    #expect(
      Sample.error("run", "purchase")?.message
        == "--target HOST:PORT is needed: expected HOST:PORT, [IPV6]:PORT or unix:PATH"
        + " with a port from 1 to 65535")
    #expect(Sample.error("run", "--target", "h:1")?.code == .missing)
    #expect(Sample.error()?.message == "a command is needed: run, report")
    #expect(
      Sample.error("rum")?.description
        == "load: unknown command \"rum\"; did you mean run? (see load --help)")
  }

  @Test func unexpectedArgumentIsRefused() {
    let error = Sample.error("report", "x")
    #expect(error?.code == .unexpectedArgument)
    #expect(error?.message == "unexpected argument \"x\"")
  }

  @Test func controlCharactersAreEscapedInErrors() {
    #expect(Sample.error("run", "a\u{1B}[31m\n")?.message.contains("\\u{1B}[31m\\n") == true)
  }

  @Test func repeatableFlagsTakeOneValueEachTimeAndMayBeShort() throws {
    let header = Flag<[String]>(repeatable: "header", short: "H", .text(), help: "a header")
    let data = Flag<String?>("data", short: "d", .text(), help: "the request")
    let method = Flag<String>(argument: "METHOD", .text(), help: "what to call")
    let command = Command("call", summary: "Calls.", elements: [header, data, method])
    let words = ["-H", "a: 1", "m", "--header", "b: 2", "-d", "-", "--header=c"]
    guard case .run(let parsed) = try command.parse(words) else {
      Issue.record("help was printed")
      return
    }
    #expect(parsed[header] == ["a: 1", "b: 2", "c"])
    #expect(parsed[data] == "-")
    #expect(parsed[method] == "m")
    #expect(throws: UsageError.self) { try command.parse(["m", "-d", "1", "-d", "2"]) }
    #expect(throws: UsageError.self) { try command.parse(["m", "-x", "1"]) }
    #expect(throws: UsageError.self) { try command.parse(["m", "-d"]) }
    guard case .print(let help) = try command.parse(["--help"]) else {
      Issue.record("no help was printed")
      return
    }
    #expect(help.contains("-d, --data TEXT"))
    #expect(help.contains("-H, --header TEXT"))
  }
}
