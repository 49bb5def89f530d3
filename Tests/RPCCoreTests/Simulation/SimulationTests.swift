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
    #expect(total.calls > 50 && total.succeeded > 20 && total.messages > 50)
  }

  /// A run in which nothing goes wrong shows nothing: among few seeds everything has happened.
  @Test func everythingHappens() throws {
    var total = SimulationReport()
    for seed in UInt64(1001)...1150 { total += try Simulation.run(seed: seed) }
    for (name, count) in total.counts { #expect(count > 0, "\(name)") }
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

  @Test func bytesDecideARun() throws {
    var random = SeededRandom(seed: 7)
    var total = SimulationReport()
    for size in [0, 1, 50, 400, 2_000] {
      let script = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      total += try Simulation.run(script: script)
    }
    #expect(total.connections >= 5 && total.steps > 5)
  }
}
