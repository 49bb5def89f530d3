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
    if plan.scenario == .handshake {
      try await setUpHandshakes(onStage)
      return
    }
    onStage("connecting \(plan.connections) clients")
    if plan.scenario == .idle {
      try await setUpIdle(onStage)
    } else {
      try await connect(plan.connections)
      if plan.scenario.needsKnownUsers { try await makeUsersKnown(onStage) }
    }
    try await makeSlots()
  }

  /// What the server keeps once, or for its users, isn't what a connection costs it: all that is
  /// there before the connections are made.
  private mutating func setUpIdle(_ onStage: (String) -> Void) async throws(SetupError) {
    try await connect(1)
    try await makeUsersKnown(onStage)
    var figures = IdleFigures(before: meter)
    try await connect(plan.connections)
    let duration = plan.duration ?? .zero
    onStage("\(plan.connections) idle connections for \(rounded(duration.inSeconds, places: 3)) s")
    await figures.wait(duration, meter: meter, connections: plan.connections)
    idle = figures
  }

  /// Closes what was opened. Calls without an answer would be waited for: then the loops' end
  /// closes the connections.
  mutating func tearDown() async {
    var isQuiet = true
    for lane in run.lanes {
      let calls = await lane.ask { lane in
        lane.expectClosing()
        lane.dismiss()
        return lane.figures.calls
      }
      isQuiet = isQuiet && calls.sent == calls.ok + calls.okOutside + calls.failed
    }
    guard isQuiet else { return }
    await withTaskGroup { group in
      for client in clients { group.addTask { await client.close() } }
    }
  }

  private func checkLimits() throws(SetupError) {
    let problem = Preflight.current().problem(
      connections: plan.connections, loops: run.lanes.count,
      addresses: run.context.source.addressCount)
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
    let lane = run.lanes[number % run.lanes.count]
    return run.context.source.makeClient(onLoop: lane.index, resumes: false) { [weak lane] event in
      lane?.connectionEvent(event)
    }
  }

  /// A session for each of the known users, before anything is measured.
  private func makeUsersKnown(_ onStage: (String) -> Void) async throws(SetupError) {
    onStage("making \(plan.users) users known")
    let workers = min(plan.users, max(64, clients.count), 1024)
    let (clients, context) = (clients, run.context)
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
    let lane = run.lanes[0]
    let resumes = plan.resumption != .off
    let first = run.context.source.makeClient(onLoop: 0, resumes: resumes) { [weak lane] event in
      lane?.connectionEvent(event)
    }
    clients = [first]
    do throws(RPCError) {
      try await first.connect()
    } catch {
      throw SetupError(error)
    }
    try await makeUsersKnown(onStage)
    await lane.ask { $0.expectClosing() }
    await first.close()
    clients = []
    try await makeSlots()
  }

  /// A slot for each call under way, on its connection's loop.
  private func makeSlots() async throws(SetupError) {
    let context = run.context
    let queries = try productQueries()
    for (index, lane) in run.lanes.enumerated() {
      let places = stride(from: index, to: plan.connections, by: run.lanes.count).map { $0 }
      var options: [CallOptions] = []
      for place in places { options.append(try await callOptions(place)) }
      let (clients, ready) = (clients, options)
      await lane.ask { lane in
        let users = SharedTurn(context.userTurn(lane: lane.index))
        for (place, options) in zip(places, ready) {
          let client = place < clients.count ? clients[place] : nil
          lane.slots += (0..<context.plan.slotsPerConnection).map { number in
            context.slot(
              lane, client, users, queries, options,
              number: place * context.plan.slotsPerConnection + number)
          }
        }
      }
    }
  }

  private func productQueries() throws(SetupError) -> [ProductQuery] {
    guard plan.scenario == .productFilter, let pool = run.context.products else { return [] }
    var random = run.context.random(-1)
    return ProductQuery.make(
      RunSession.queries, of: plan.listSize, from: pool, unknownShare: plan.unknownShare,
      random: &random)
  }

  /// With a session of the connection's own, if the scenario needs one.
  private func callOptions(_ place: Int) async throws(SetupError) -> CallOptions {
    guard plan.scenario == .productFilter else { return run.context.options() }
    do throws(RPCError) {
      let response = try await LoginServiceClient(clients[place]).createSession(
        run.context.request(user: UInt64(place)), options: run.context.options())
      return run.context.options(token: response.sessionToken)
    } catch {
      throw SetupError(error, doing: "logging in")
    }
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
