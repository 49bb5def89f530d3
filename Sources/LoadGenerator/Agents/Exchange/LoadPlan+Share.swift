extension LoadPlan {
  /// One agent's part of the plan. All parts together are the whole: connections, users and calls
  /// are divided without a remainder being lost, rates exactly, and no two agents have a user or a
  /// random number in common.
  ///
  /// - Parameters:
  ///   - index: the agent's number, from 0.
  ///   - count: how many agents there are.
  /// - Throws: ``SetupError`` if there is less of something than there are agents.
  func share(_ index: Int, of count: Int) throws(SetupError) -> LoadPlan {
    func part(_ whole: Int) -> Int { whole / count + (index < whole % count ? 1 : 0) }
    var share = self
    share.connections = part(connections)
    share.users = part(users)
    // Of an open loop, all plan the same calls, and each makes those that are its own.
    share.callLimit = isOpenLoop ? callLimit : callLimit.map(part)
    share.scheduleSeed = scheduleSeed ?? seed
    share.slice.index = index
    share.slice.count = count
    share.maxInFlight = maxInFlight.map { max(1, part($0)) }
    let owners = PartClients(self)
    for place in share.mix.indices {
      if share.mix[place].clients != nil {
        share.mix[place].clients = owners.clients(ofPart: place, agent: index, of: count)
      }
      for setting in share.mix[place].settings.indices
      where share.mix[place].settings[setting].name == "users" {
        let users = Int(share.mix[place].settings[setting].value) ?? count
        share.mix[place].settings[setting].value = String(max(1, part(users)))
      }
    }
    share.seed = LoadPlan.seed(seed, ofAgent: index)
    // A process of the coordinator's machine.
    share.serverProcess = nil
    let numbers = [
      ("--connections", connections, share.connections), ("--users", users, share.users),
      ("--calls", callLimit ?? .max, share.callLimit ?? .max),
    ]
    for (name, whole, part) in numbers where part < 1 {
      throw SetupError(
        .resources,
        "\(name) \(whole) can't be divided among \(count) agents: give each at least 1")
    }
    return share
  }

  /// Users' names hold the lowest 32 bits, which are different for each agent: the factor is odd.
  static func seed(_ seed: UInt64, ofAgent index: Int) -> UInt64 {
    seed &+ UInt64(index) &* 0x9E37_79B9
  }
}
