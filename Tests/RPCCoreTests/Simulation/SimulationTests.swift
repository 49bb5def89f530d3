import RPCSimulation
import Testing

@Suite struct SimulationTests {
  /// The release-built `rpc-simulator` runs many thousands; these few run with every test.
  @Test(arguments: 0..<8)
  func seedsPass(_ block: Int) throws {
    var total = SimulationReport()
    for seed in UInt64(block * 25 + 1)...UInt64(block * 25 + 25) {
      total += try Simulation.run(seed: seed)
    }
    #expect(total.calls > 50 && total.ended > 20 && total.messages > 50)
  }

  @Test func aSeedReplaysExactly() throws {
    var first: [String] = []
    var second: [String] = []
    let one = try Simulation.run(seed: 42) { first.append($0) }
    let two = try Simulation.run(seed: 42) { second.append($0) }
    #expect(one == two && first == second && first.count > 20)
    var other: [String] = []
    _ = try Simulation.run(seed: 43) { other.append($0) }
    #expect(other != first)
  }
}
