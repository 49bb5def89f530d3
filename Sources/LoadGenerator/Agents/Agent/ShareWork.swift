import LoadReporting
import RPC
import RPCTransport
import Synchronization

/// One share of a load, being made by an agent.
final class ShareWork: Sendable {
  /// What it tells the coordinator, in order.
  let events: AsyncStream<RunShareResponse.Event>

  private let share: LoadShare
  private let plan: LoadPlan
  private let limits: AgentLimits
  private let tell: AsyncStream<RunShareResponse.Event>.Continuation
  private let gate = StartGate()
  private let control = Mutex<RunControl?>(nil)
  private let fingerprints = Mutex<[(check: String, log: FingerprintLog)]>([])
  private let exchanges = Mutex<[String: ExchangeCounts]>([:])
  private let startLag = Atomic<Int64>(0)

  /// Checks the share.
  ///
  /// - Throws: a typed error of ``AgentError``.
  init(_ share: LoadShare, _ limits: AgentLimits, version: String) throws(RPCError) {
    guard share.version == version else {
      throw AgentError.versions(own: version, other: share.version)
    }
    try limits.checkSizes(share)
    do {
      plan = try LoadPlan(text: share.plan)
    } catch {
      throw AgentError.invalid("its plan can't be read (is it of another build?): \(error)")
    }
    try limits.check(plan)
    self.share = share
    self.limits = limits
    (events, tell) = AsyncStream.makeStream()
  }

  /// What the coordinator says next.
  ///
  /// - Throws: SHARE_NOT_EXPECTED.
  func take(_ step: RunShareRequest.Step?) throws(RPCError) {
    switch step {
    case .start(let start):
      let ahead = Int64(bitPattern: start.nanoseconds &- ProcessClock.monotonic())
      guard Double(ahead) / 1e9 <= limits.startAhead else {
        throw AgentError.tooLarge(
          "seconds until the start", "\(Double(ahead) / 1e9)", "\(limits.startAhead)")
      }
      gate.tell(start.nanoseconds)
    case .stop: stop()
    default:
      throw AgentError.error(
        .failedPrecondition, .notExpected, "a call makes one share: begin another for the next")
    }
  }

  /// Ends the load, or calls it off.
  func stop() {
    gate.tell(nil)
    control.withLock { $0 }?.stop()
  }

  /// Makes the load.
  ///
  /// - Throws: ``SetupError`` if it can't begin.
  func run() async throws(SetupError) -> LoadReport {
    defer { tell.finish() }
    let groups = try loops()
    let result: Result<LoadReport, SetupError>
    do throws(SetupError) {
      result = .success(try await load(groups))
    } catch {
      result = .failure(error)
    }
    for group in groups { await group.shutdown() }
    return try result.get()
  }

  private func loops() throws(SetupError) -> [EventLoopGroup] {
    do throws(SystemError) {
      return try LoadLoops.make(Int(share.loops))
    } catch {
      throw SetupError(.resources, "no event loop: \(error)")
    }
  }

  private func load(_ groups: [EventLoopGroup]) async throws(SetupError) -> LoadReport {
    let files = try TrustFiles(share.trust ?? ServerTrust())
    let targets = try await ServerTargets(
      share.targets, tls: files.configuration, plan: plan, groups: groups)
    let control = RunControl(tap: tap)
    self.control.withLock { $0 = control }
    let run = try LoadRun(
      plan, products: try products(), source: targets.source, loops: groups.map(\.first),
      control: control)
    var report = try await run.execute(onStage: { [tell] in tell.yield(.stage($0)) })
    targets.describe(in: &report)
    report.agents = [
      AgentFigures(
        name: "", machine: report.machine, state: .finished,
        startLag: startLag.load(ordering: .relaxed), load: report.delivery, process: report.client)
    ]
    return report
  }

  private func products() throws(SetupError) -> ProductPool? {
    guard !share.products.isEmpty else { return nil }
    let source = "the products"
    return try ProductPool(ProductPool.items(in: share.products, path: source), source: source)
  }

  private var tap: RunTap {
    RunTap(
      beforeLoad: { [self] () async throws(SetupError) in try await waitForStart() },
      onSecond: { [tell] figures, latency in
        let second = ToldSecond(figures: figures, latency: latency)
        tell.yield(.second(ShareSecond(json: second.json.compact())))
      },
      onFingerprints: { [self] check, log in
        fingerprints.withLock { logs in
          // Scenarios of a mix may have the same check.
          if let place = logs.firstIndex(where: { $0.check == check }) {
            logs[place].log.merge(log)
          } else {
            logs.append((check, log))
          }
        }
      }, onExchanges: { [self] counts in exchanges.withLock { $0 = counts } })
  }

  private func waitForStart() async throws(SetupError) {
    tell.yield(.ready(ShareReady()))
    let interrupted = SetupError(.interrupted, "the load was called off before it began")
    guard let instant = await gate.wait() else { throw interrupted }
    let ahead = Int64(bitPattern: instant &- ProcessClock.monotonic())
    if ahead > 0 { try? await Task.sleep(for: .nanoseconds(ahead)) }
    if gate.isCalledOff { throw interrupted }
    let lag = Int64(bitPattern: ProcessClock.monotonic() &- instant)
    startLag.store(lag, ordering: .relaxed)
  }

  /// What is sent when the load is over: the calls that were made.
  var exchangesMessage: ShareExchanges { ShareExchanges(exchanges.withLock { $0 }) }

  /// What is sent when the load is over: of each check a sample, in messages of a bounded size.
  func fingerprintMessages() -> [ShareFingerprints] {
    let logs = fingerprints.withLock { $0 }
    return logs.prefix(AgentLimits.fingerprintChecks).flatMap { check, log in
      let sample = FingerprintSample(log)
      let step = AgentLimits.fingerprintsPerMessage
      return stride(from: 0, to: max(1, sample.values.count), by: step).map { first in
        ShareFingerprints(
          check: check, zeroBits: UInt32(sample.zeroBits),
          values: Array(sample.values.dropFirst(first).prefix(step)))
      }
    }
  }
}
