// Simulated clients that belong to one scenario of a mix.

extension LoadPlan {
  /// Which simulated client does what: those of the first part with clients of its own, of the
  /// next one, and then those whose calls are drawn by weight. They are numbered across the
  /// connections, so that each part's are on as many connections as possible.
  struct PartClients: Sendable {
    private let ends: [(part: Int, end: Int)]
    private let shared: [Int]
    private let connections: Int
    private let perConnection: Int

    init(_ plan: LoadPlan) {
      var (ends, end) = ([(part: Int, end: Int)](), 0)
      for (index, part) in plan.parts.enumerated() {
        guard let clients = part.clients else { continue }
        end += clients
        ends.append((index, end))
      }
      self.ends = ends
      shared = plan.parts.indices.filter { plan.parts[$0].clients == nil }
      (connections, perConnection) = (plan.connections, plan.slotsPerConnection)
    }

    /// The parts that a simulated client has calls of.
    ///
    /// - Parameters:
    ///   - connection: the connection that it is on, from 0.
    ///   - number: which of the connection's clients it is, from 0.
    func parts(connection: Int, number: Int) -> [Int] {
      let rank = number * connections + connection
      return ends.first { rank < $0.end }.map { [$0.part] } ?? shared
    }

    /// How many clients of their own the parts have.
    var claimed: Int { ends.last?.end ?? 0 }

    /// All that there are.
    var all: Int {
      let product = connections.multipliedReportingOverflow(by: perConnection)
      return product.overflow ? .max : product.partialValue
    }

    /// Whether those that belong to no part have nothing to do.
    var leavesNothing: Bool { shared.isEmpty }

    /// How many clients of a part are on the connections that one of several machines makes: the
    /// connections go to the machines in turn.
    func clients(ofPart part: Int, agent: Int, of count: Int) -> Int {
      guard let place = ends.firstIndex(where: { $0.part == part }) else { return 0 }
      let first = place == 0 ? 0 : ends[place - 1].end
      return (first..<ends[place].end).count { $0 % connections % count == agent }
    }
  }

  /// What keeps the parts of a mix from being carried out.
  func checkParts() throws(PlanError) {
    for part in mix {
      for setting in part.settings {
        let known = LoadPlan.partSettings.first { $0.name == setting.name }
        if let known, !known.scenarios.contains(part.scenario) {
          let names = known.scenarios.map(\.rawValue).joined(separator: ", ")
          throw PlanError(
            "\(part.scenario.rawValue) has no \(setting.name): it is of \(names)")
        }
      }
    }
    if isOpenLoop, let part = parts.indices.first(where: { plan(ofPart: $0).thinkTime != nil }) {
      throw PlanError(
        "think-time of \(parts[part].scenario.rawValue) is of a closed loop: leave it or the rate"
          + " out")
    }
    try checkClients()
  }

  private func checkClients() throws(PlanError) {
    guard let part = mix.first(where: { $0.clients != nil }) else { return }
    guard !isOpenLoop else {
      throw PlanError(
        "\(part.scenario.rawValue): clients=… is of a closed loop; in an open one calls are made at"
          + " a rate: give it a weight")
    }
    if let part = mix.first(where: { !(0...MixPart.mostClients).contains($0.clients ?? 0) }) {
      throw PlanError("\(part.clients ?? 0) clients: expected from 0 to \(MixPart.mostClients)")
    }
    let clients = PartClients(self)
    let whole = "\(clients.all) clients (--connections × --in-flight)"
    guard clients.claimed <= clients.all else {
      throw PlanError("the scenarios ask for \(clients.claimed) of \(whole)")
    }
    guard clients.claimed == clients.all || !clients.leavesNothing else {
      throw PlanError(
        "the scenarios have \(clients.claimed) of \(whole): the others need a scenario with a"
          + " weight, or there have to be fewer")
    }
  }
}
