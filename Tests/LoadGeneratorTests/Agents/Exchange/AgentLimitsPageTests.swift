import Foundation
import RPCCore
import RPCServer
import Testing

@testable import LoadGenerator

/// The agents' part of `Docs/limits.md` against the code.
@Suite struct AgentLimitsPageTests {
  /// Name and number of each row.
  private func rows() throws -> [String: Double] {
    let path = packageRoot + "/Docs/limits.md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let begin = try #require(page.range(of: "\n## Agents of the load generator\n"))
    var rows: [String: Double] = [:]
    for line in page[begin.upperBound...].split(separator: "\n") {
      if line.hasPrefix("## ") { break }
      guard line.hasPrefix("| ") else { continue }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      rows[cells[0]] = number(cells[1])
    }
    return rows
  }

  /// "100,000", "8 MiB" or "24 h"; times are in seconds. Nil: the table's head.
  private func number(_ cell: String) -> Double? {
    let units = ["MiB": 1_048_576.0, "s": 1, "h": 3_600]
    let words = cell.replacing(",", with: "").split(separator: " ").map(String.init)
    guard let first = words.first.flatMap({ Double($0) }) else { return nil }
    return words.count == 1 ? first : units[words[1]].map { $0 * first }
  }

  @Test func numbersAreThoseOfTheCode() throws {
    let limits = AgentLimits()
    #expect(
      try rows() == [
        "connections": Double(limits.connections), "duration": limits.seconds,
        "calls under way": Double(limits.callsUnderWay), "users": Double(limits.users),
        "event loops": Double(limits.loops), "stages": Double(limits.stages),
        "scenarios": Double(limits.scenarios), "targets": Double(TargetList.mostEndpoints),
        "time to the start": limits.startAhead, "plan": Double(limits.planBytes),
        "products": Double(limits.productsBytes),
        "certificate file": Double(limits.certificateBytes),
        "message": Double(AgentLimits.messageBytes),
        "fingerprints": Double(AgentLimits.fingerprints),
        "agents": Double(AgentsRun.Agents.most),
      ])
    #expect(AgentLimits.fingerprintChecks == 16)
    #expect(ServerConfiguration.agent.connection.maximumConcurrentCalls == 8)
  }
}
