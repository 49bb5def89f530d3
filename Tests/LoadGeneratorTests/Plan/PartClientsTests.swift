import Testing

@testable import LoadGenerator

@Suite struct PartClientsTests {
  private func plan(_ connections: Int, _ inFlight: Int, _ parts: String...) throws -> LoadPlan {
    var plan = LoadPlan(scenario: .sessionReturn)
    plan.connections = connections
    plan.inFlight = inFlight
    plan.mix = try parts.map { try #require(MixPart(text: $0)) }
    return plan
  }

  /// The parts of each client, by the connection that it is on.
  private func layout(_ plan: LoadPlan) -> [[[Int]]] {
    let owners = LoadPlan.PartClients(plan)
    return (0..<plan.connections).map { connection in
      (0..<plan.inFlight).map { owners.parts(connection: connection, number: $0) }
    }
  }

  @Test func clientsOfAPartAreSpreadOverTheConnections() throws {
    let plan = try plan(
      3, 2, "session-return weight=2", "session-create clients=2", "journey clients=2", "purchase")
    try plan.check()
    #expect(layout(plan) == [[[1], [2]], [[1], [0, 3]], [[2], [0, 3]]])
    // Only those that are drawn have a share.
    let mix = plan.scenarioMix
    #expect(mix.count == 2)
    let drawn = (0..<3000).count { mix.part(ofCall: $0) == 0 }
    #expect((1900...2100).contains(drawn))
  }

  @Test func withoutClientsOfTheirOwnAllHaveAllParts() throws {
    let plan = try plan(2, 2, "session-return", "purchase")
    #expect(layout(plan) == [[[0, 1], [0, 1]], [[0, 1], [0, 1]]])
  }

  @Test(arguments: [1, 2, 3, 5])
  func agentsHaveAllClientsTogether(_ agents: Int) throws {
    let plan = try plan(
      5, 3, "session-return clients=4", "session-create clients=7", "purchase clients=4")
    let shares = try (0..<agents).map { try plan.share($0, of: agents) }
    for part in plan.mix.indices {
      #expect(shares.reduce(0) { $0 + ($1.mix[part].clients ?? 0) } == plan.mix[part].clients)
    }
    // Each has as many as it has places for: here, all of them have something to do.
    for share in shares { try share.check() }
  }

  @Test func whatCanNotBeIsRefusedByName() throws {
    func problem(_ plan: LoadPlan) -> String? {
      do throws(PlanError) {
        try plan.check()
        return nil
      } catch {
        return error.description
      }
    }
    let tooMany = try plan(2, 2, "session-return clients=3", "purchase clients=2")
    #expect(problem(tooMany)?.contains("5 of 4 clients") == true)
    let tooFew = try plan(2, 2, "session-return clients=1", "purchase clients=2")
    #expect(problem(tooFew)?.contains("3 of 4 clients") == true)
    let unknown = try plan(2, 2, "session-return watchers=3")
    #expect(problem(unknown)?.contains("session-return has no watchers: it is of watch") == true)
    var paced = try plan(2, 2, "session-return clients=1", "purchase")
    paced.stages = [try LoadStage(rate: 5, duration: .seconds(1))]
    #expect(problem(paced)?.contains("clients=… is of a closed loop") == true)
    paced = try plan(2, 2, "session-return think-time=1s", "purchase")
    paced.stages = [try LoadStage(rate: 5, duration: .seconds(1))]
    #expect(problem(paced)?.contains("think-time of session-return") == true)
    // From another machine anything may come.
    var absurd = tooMany
    (absurd.connections, absurd.mix[0].clients, absurd.mix[1].clients) = (.max, .max, .max)
    #expect(problem(absurd) != nil)
    absurd.mix[0].clients = -1
    #expect(problem(absurd) != nil)
  }
}
