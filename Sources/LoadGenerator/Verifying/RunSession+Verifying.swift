import LoadReporting
import OnsideClient
import OnsideProto
import RPC

extension RunSession {
  /// What is known when the load is about to begin, for comparison with what is afterwards.
  struct Baseline: Sendable {
    var statuses: [GetServerStatusResponse] = []
    var exchanges: [String: ExchangeCounts] = [:]
  }

  /// Notes how everything stands before the load, and asks the server how it is.
  ///
  /// - Throws: Why it can't be asked.
  mutating func baseline() async throws(SetupError) -> Baseline {
    var baseline = Baseline()
    wireBefore = await wireBytes()
    for lane in run.drivers.flatMap(\.lanes) { baseline.exchanges.add(lane.tally.counts) }
    guard let sampler else { return baseline }
    do throws(RPCError) {
      baseline.statuses = try await sampler.statuses()
    } catch {
      throw SetupError(error, doing: "asking for the server's status")
    }
    return baseline
  }

  /// Adds to a report what can only be checked when the load is over.
  func verify(_ report: inout LoadReport, since baseline: Baseline) async {
    // The server's counters first: what follows makes calls.
    await addServerStatus(to: &report, since: baseline)
    let tally = ExchangeTally(.off)
    if plan.verifies, report.ending != .interrupted, let client = await verifyingClient() {
      let invoker = TalliedInvoker(base: client, tally: tally)
      if let check = await sessionsVisible(invoker) { report.checks.append(check) }
      if let check = await purchasesListed(invoker) { report.checks.append(check) }
    }
    guard let tap = run.tap else { return }
    var all = await exchanges(since: baseline)
    all.add(tally.counts)
    tap.onExchanges(all)
  }

  // MARK: The server's own word

  private func addServerStatus(to report: inout LoadReport, since baseline: Baseline) async {
    guard let sampler, let after = await sampler.statuses(afterLoadOf: &report) else { return }
    report.add(
      after, baseline.statuses, sampler.states, measured: measured, idle: idle,
      exchanges: await exchanges(since: baseline))
  }

  /// What was exchanged in the load, by method.
  private func exchanges(since baseline: Baseline) async -> [String: ExchangeCounts] {
    var exchanges: [String: ExchangeCounts] = [:]
    for driver in run.drivers {
      for lane in driver.lanes { exchanges.add(lane.tally.counts) }
      let calls = await driver.ask { $0.lanes.map(\.figures.calls) }
      for (part, calls) in zip(plan.parts, calls) {
        guard let method = part.scenario.singleMethod else { continue }
        exchanges.add([method.path: ExchangeCounts(calls)])
      }
    }
    // Streams are opened before the load, and don't end in it.
    exchanges[PaymentsServiceMethods.watchTransactions.path] = nil
    for (method, counts) in baseline.exchanges { exchanges[method]?.subtract(counts) }
    return exchanges
  }

  // MARK: What the service has to show

  /// A client for what is looked at afterwards: one of the load's, or a new one.
  private func verifyingClient() async -> (any LoadClient)? {
    if let first = clients.first { return first }
    let client = run.contexts[0].source.makeClient(onLoop: 0, resumes: false) { _ in }
    return (try? await client.connect()) == nil ? nil : client
  }

  /// Whether a sample of the sessions is there: each with the profile that it was made with.
  private func sessionsVisible(_ invoker: any CallInvoker) async -> CheckResult? {
    // Each scenario of a mix has users of its own.
    var sessions: [(names: UserNames, session: SampledSession)] = []
    for driver in run.drivers {
      let parts = await driver.ask { $0.lanes.map(\.figures.sessions) }
      for (context, found) in zip(run.contexts, parts) {
        sessions += found.map { (context.names, $0) }
      }
    }
    guard !sessions.isEmpty else { return nil }
    var check = CheckResult(name: "sessions_visible", title: "sessions visible afterwards")
    let login = LoginServiceClient(invoker)
    for (names, sample) in sessions {
      let user = names.text(sample.user)
      do throws(RPCError) {
        let options = run.contexts[0].options(token: sample.session.token)
        let response = try await login.getProfile(GetProfileRequest(), options: options)
        let problem = response.profile.problem(of: sample.session, user: user)
        check.count(problem == nil, wrong: problem ?? "")
      } catch {
        check.count(false, wrong: "the session of \(user): \(error.code): \(error.message)")
      }
    }
    return check
  }

  /// Whether a sample of the users has bought what the load bought for them, and each once.
  private func purchasesListed(_ invoker: any CallInvoker) async -> CheckResult? {
    var check = CheckResult(name: "purchases_listed_once", title: "purchases listed once")
    for (index, context) in run.contexts.enumerated() {
      var log = PurchaseLog()
      for driver in run.drivers {
        log.merge(await driver.ask { $0.lanes[index].figures.purchases })
      }
      await look(for: log, of: context, invoker, &check)
    }
    return check.checked > 0 ? check : nil
  }

  /// Whether a sample of a scenario's users has bought what the load bought for them.
  private func look(
    for log: PurchaseLog, of context: ScenarioContext, _ invoker: any CallInvoker,
    _ check: inout CheckResult
  ) async {
    let prefix = PurchaseSlot.keyPrefix(seed: context.plan.seed)
    for (user, purchases) in log.purchases.sorted(by: { $0.key < $1.key }) {
      let customer = context.customer(invoker)
      do throws(OnsideError) {
        try await customer.logIn(externalUserID: context.names.text(user))
        let listed = try await customer.transactions().compactMap { record in
          record.appAccountToken.flatMap { reference in
            reference.hasPrefix(prefix) ? (id: record.id, reference: reference) : nil
          }
        }
        let problem = purchases.problem(listed)
        check.count(problem == nil, wrong: problem ?? "")
      } catch {
        check.count(false, wrong: "the purchases of user \(user): \(error.message)")
      }
    }
  }
}

extension Profile? {
  /// What is wrong with a session's profile; nil: nothing.
  fileprivate func problem(of session: Session, user: String) -> String? {
    guard let self else { return "the session of \(user) has no profile" }
    guard self.profileID == session.profileID else {
      return "the session of \(user) has the profile \(self.profileID) in place of "
        + session.profileID
    }
    guard self.kind == .external, self.externalUserID == user else {
      return "the profile of \(user) is of the kind \(self.kind), for \"\(self.externalUserID)\""
    }
    return nil
  }
}

extension [String: ExchangeCounts] {
  mutating func add(_ others: [String: ExchangeCounts]) {
    for (method, counts) in others { self[method, default: ExchangeCounts()].add(counts) }
  }
}

extension ExchangeCounts {
  mutating func subtract(_ other: ExchangeCounts) {
    started -= other.started
    ok -= other.ok
    refused -= other.refused
    unstarted -= other.unstarted
  }

  /// Of a scenario whose calls are one exchange each.
  init(_ calls: CallFigures) {
    started = calls.sent
    ok = calls.ok + calls.okOutside
    for entry in calls.failures.entries {
      switch entry.kind.phase {
      case .answer: refused += entry.count
      case .check, .protocol: ok += entry.count
      case .resolve, .connect, .tls: unstarted += entry.count
      case .call: break
      }
    }
  }
}

extension LoadScenario {
  /// The method that each call of the scenario is one exchange of; nil: of several, which are
  /// counted where they are made.
  var singleMethod: MethodDescriptor? {
    switch self {
    case .sessionCreate, .sessionReturn, .handshake, .idle: LoginServiceMethods.createSession
    case .productFilter: ProductsServiceMethods.listProducts
    case .purchase, .journey, .watch, .storm: nil
    }
  }
}
