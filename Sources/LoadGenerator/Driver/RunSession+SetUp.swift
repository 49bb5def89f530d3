import LoadReporting
import OnsideProto
import RPC
import RPCClient
import RPCTransport

extension RunSession {
  /// Connections that are being made at the same time.
  private static let connectingAtOnce = 32

  /// Queries that a product load goes through.
  private static let queries = 512

  /// Connects, makes the users known, logs in: all that comes before the load.
  mutating func setUp(_ onStage: (String) -> Void) async throws(SetupError) {
    try checkLimits()
    let keepsConnections = plan.parts.contains { $0.scenario.keepsConnections }
    if keepsConnections { onStage("connecting \(plan.connections) clients") }
    if plan.scenario == .idle {
      try await setUpIdle(onStage)
    } else if keepsConnections {
      try await connect(plan.connections)
      for context in run.contexts where context.plan.scenario.needsKnownUsers {
        try await makeUsersKnown(context, onStage)
      }
    } else {
      try await setUpHandshakes(onStage)
    }
    await makePlaces()
    try await prepareSlots(onStage)
  }

  /// What the server keeps once, or for its users, isn't what a connection costs it: all that is
  /// there before the connections are made.
  private mutating func setUpIdle(_ onStage: (String) -> Void) async throws(SetupError) {
    try await connect(1)
    try await makeUsersKnown(run.contexts[0], onStage)
    var figures = IdleFigures(before: await serverState())
    try await connect(plan.connections)
    let duration = plan.duration ?? .zero
    onStage("\(plan.connections) idle connections for \(rounded(duration.inSeconds, places: 3)) s")
    await figures.wait(duration, connections: plan.connections, look: serverState)
    idle = figures
  }

  /// Closes what was opened. Calls without an answer would be waited for: then the loops' end
  /// closes the connections, or this does at once if the plan says so.
  mutating func tearDown() async {
    var isQuiet = true
    for driver in run.drivers {
      let calls = await driver.ask { driver in
        for lane in driver.lanes { lane.expectClosing() }
        driver.dismiss()
        return driver.lanes.map(\.figures.calls)
      }
      isQuiet = isQuiet && calls.allSatisfy { $0.underWay == 0 }
    }
    guard isQuiet || plan.atEnd == .close else { return }
    await withTaskGroup { [isQuiet] group in
      for client in clients {
        group.addTask {
          if isQuiet { await client.close() } else { await client.abort() }
        }
      }
    }
  }

  private func checkLimits() throws(SetupError) {
    let problem = Preflight.current().problem(
      connections: plan.connections * plan.connectionsPerClient * plan.connectionsPerSlot,
      loops: run.drivers.count,
      addresses: run.contexts[0].source.addressCount)
    if let problem { throw problem }
  }

  private mutating func connect(_ count: Int) async throws(SetupError) {
    while clients.count < count {
      let first = clients.count
      let batch = (first..<min(count, first + RunSession.connectingAtOnce)).map(makeClient)
      clients += batch
      let failure = await withTaskGroup(of: RPCError?.self) { group in
        for client in batch {
          group.addTask {
            do throws(RPCError) {
              try await client.connect()
              return nil
            } catch {
              return error
            }
          }
        }
        return await group.reduce(nil) { $0 ?? $1 }
      }
      if let failure { throw SetupError(failure) }
    }
  }

  private func makeClient(_ number: Int) -> any LoadClient {
    let driver = run.drivers[number % run.drivers.count]
    let lane = driver.lanes[0]
    let (source, index) = (run.contexts[0].source, driver.index)
    // The lane has no client once its driver is dismissed.
    let make: RenewingClient.Maker = { resumes, watch in
      source.makeClient(
        onLoop: index, resumes: resumes,
        onEvent: { lane.connectionEvent($0, endIsExpected: watch.expectsEnd) },
        onAnswer: { lane.answered($0) })
    }
    guard let calls = plan.callsPerConnection else { return make(false, ConnectionWatch()) }
    return RenewingClient(calls: calls, driver: driver, make: make)
  }

  /// A session for each of the known users, before anything is measured.
  private func makeUsersKnown(
    _ context: ScenarioContext, _ onStage: (String) -> Void
  ) async throws(SetupError) {
    onStage("making \(context.plan.users) users known")
    let workers = min(context.plan.users, max(64, clients.count), 1024)
    let clients = clients
    let failure = await withTaskGroup(of: RPCError?.self) { group in
      for worker in 0..<workers {
        group.addTask {
          let login = LoginServiceClient(clients[worker % clients.count])
          for user in stride(from: worker, to: context.plan.users, by: workers) {
            do throws(RPCError) {
              _ = try await login.createSession(
                context.request(user: UInt64(user)), options: context.options())
            } catch {
              return error
            }
          }
          return nil
        }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let failure { throw SetupError(failure, doing: "making the users known") }
  }

  /// One connection makes the users known, and brings the TLS session that is resumed.
  private mutating func setUpHandshakes(_ onStage: (String) -> Void) async throws(SetupError) {
    let lane = run.drivers[0].lanes[0]
    let resumes = run.contexts.contains { ResumptionTurn($0.plan).isUsed }
    let first = run.contexts[0].source.makeClient(onLoop: 0, resumes: resumes) {
      lane.connectionEvent($0)
    }
    clients = [first]
    do throws(RPCError) {
      try await first.connect()
    } catch {
      throw SetupError(error)
    }
    for context in run.contexts { try await makeUsersKnown(context, onStage) }
    await run.drivers[0].ask { $0.lanes[0].expectClosing() }
    await first.close()
    clients = []
  }

  /// A place for each simulated client, on its connection's loop: first one on each connection,
  /// then a second one, so that an open loop's calls spread over the connections. Those of one
  /// connection are made one after the other, and so lie near each other in memory: their answers
  /// come together.
  private func makePlaces() async {
    let ready = run.contexts.map { (context: $0, queries: productQueries($0)) }
    let (clients, plan, owners) = (clients, plan, LoadPlan.PartClients(plan))
    for (index, driver) in run.drivers.enumerated() {
      let connections = stride(from: index, to: plan.connections, by: run.drivers.count).map { $0 }
      await driver.ask { driver in
        let turns = ready.map { SharedTurn($0.context.userTurn(lane: driver.index)) }
        var ranked: [(rank: Int, place: Place)] = []
        for connection in connections {
          for number in 0..<plan.slotsPerConnection {
            let place = connection * plan.slotsPerConnection + number
            let own = owners.parts(connection: connection, number: number)
            let slots = own.map { part in
              let context = ready[part].context
              let client =
                context.plan.scenario.keepsConnections && connection < clients.count
                ? clients[connection] : nil
              return context.slot(
                driver.lanes[part], client, turns[part], ready[part].queries, number: place)
            }
            let rank = number * plan.connections + connection
            ranked.append((rank, Place(slots, number: place, seed: plan.seed)))
          }
        }
        driver.places = ranked.sorted { $0.rank < $1.rank }.map(\.place)
      }
    }
  }

  private func productQueries(_ context: ScenarioContext) -> [ProductQuery] {
    guard context.plan.scenario == .productFilter, let pool = context.products else { return [] }
    var random = context.random(-1)
    return ProductQuery.make(
      RunSession.queries, of: context.plan.listSize, from: pool,
      unknownShare: context.plan.unknownShare, unsupportedShare: context.plan.unsupportedShare,
      random: &random)
  }
}

extension SetupError {
  /// A connection that can't be made.
  init(_ error: RPCError) {
    self.init(Code(error), error.message)
  }

  /// A call that is needed before the load.
  init(_ error: RPCError, doing what: String) {
    let reason = error.info.map { " \($0.reason)" } ?? ""
    let text = "\(what): \(error.code)\(reason): \(printable(error.message))"
    self.init(Code(error), text)
  }
}

extension SetupError.Code {
  /// What kind of problem keeps a call from being made, or answered.
  init(_ error: RPCError) {
    switch error.phase {
    case .handshake: self = .certificate
    case .answered: self = .refused
    default: self = GeneratorLimit(error) == nil ? .address : .resources
    }
  }
}
