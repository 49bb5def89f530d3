import Testing

@testable import LoadGenerator

@Suite struct ScenarioFileTests {
  private func file(_ text: String) throws(ScenarioFile.Problem) -> ScenarioFile {
    try ScenarioFile(
      text, path: "load.txt", repeatable: { $0 == "stage" },
      check: { name, value in
        switch name {
        case "rate": Int(value) == nil ? .value("rate \"\(value)\": expected a number") : nil
        case "stage", "quiet": nil
        default: .name("\"\(name)\" can't be set")
        }
      })
  }

  @Test func linesAreSettings() throws {
    let file = try file(
      "# a load\n\n  rate   100  \nstage rate=1 for=2s\r\n\tstage  x # y\nquiet\n")
    #expect(
      file.settings == [
        .init(name: "rate", value: "100", line: 3, nameColumn: 3, valueColumn: 10),
        .init(name: "stage", value: "rate=1 for=2s", line: 4, nameColumn: 1, valueColumn: 7),
        .init(name: "stage", value: "x # y", line: 5, nameColumn: 2, valueColumn: 9),
        .init(name: "quiet", value: "", line: 6, nameColumn: 1, valueColumn: 6),
      ])
  }

  @Test(arguments: [
    ("bogus 1", "load.txt:1:1: \"bogus\" can't be set"),
    ("\n  bogus 1", "load.txt:2:3: \"bogus\" can't be set"),
    ("rate 1\n rate 2", "load.txt:2:2: rate was given in line 1 already; leave one out"),
    ("rate  x", "load.txt:1:7: rate \"x\": expected a number"),
    ("rate", "load.txt:1:5: rate \"\": expected a number"),
  ])
  func problemsNameLineAndColumn(_ text: String, _ message: String) {
    let problem = #expect(throws: ScenarioFile.Problem.self) { try file(text) }
    #expect(problem?.description == message)
  }
}
