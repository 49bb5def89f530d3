import LoadReporting
import RPC
import Synchronization

/// What an agent answers.
final class AgentHandlers: LoadAgentService {
  private let limits: AgentLimits
  private let version: String
  private let note: @Sendable (String) -> Void
  private let isBusy = Atomic(false)

  init(limits: AgentLimits, version: String, note: @escaping @Sendable (String) -> Void) {
    self.limits = limits
    self.version = version
    self.note = note
  }

  func describeAgent(
    _ request: DescribeAgentRequest, context: ServerContext
  ) async throws -> DescribeAgentResponse {
    let machine = Machine.current()
    return DescribeAgentResponse(
      version: version, hostName: machine.hostName, isBusy: isBusy.load(ordering: .relaxed),
      connectionsLimit: UInt32(clamping: limits.connections),
      machine: AgentMachine(
        kernel: machine.kernel, cpuModel: machine.cpuModel,
        usableCores: UInt32(clamping: machine.usableCores), cores: UInt32(clamping: machine.cores)))
  }

  func readClock(
    _ request: ReadClockRequest, context: ServerContext
  ) async throws -> ReadClockResponse {
    ReadClockResponse(nanoseconds: ProcessClock.monotonic())
  }

  func runShare(
    _ requests: RequestStream<RunShareRequest>, responses: ResponseWriter<RunShareResponse>,
    context: ServerContext
  ) async throws {
    var iterator = requests.makeAsyncIterator()
    guard case .share(let share)? = try await iterator.next()?.step else {
      throw AgentError.error(
        .failedPrecondition, .notExpected, "the first message of a call has to be a share")
    }
    guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else {
      throw AgentError.error(
        .failedPrecondition, .busy, "this agent makes another load; try again when it is over")
    }
    defer { isBusy.store(false, ordering: .releasing) }
    let work = try ShareWork(share, limits, version: version)
    let who = context.principal as? String ?? context.peer.address
    let title = "share \(Int(share.index) + 1) of \(share.count) for \(who)"
    note("\(title): begins")
    do {
      try await carryOut(work, requests, responses, context)
      note("\(title): done")
    } catch {
      note("\(title): ended early: \((error as? RPCError)?.message ?? "\(error)")")
      throw error
    }
  }

  /// The load runs beside the call, not on its event loop; whatever ends the call ends it.
  private func carryOut(
    _ work: ShareWork, _ requests: RequestStream<RunShareRequest>,
    _ responses: ResponseWriter<RunShareResponse>, _ context: ServerContext
  ) async throws {
    context.onCancellation { _ in work.stop() }
    let misuse = Misuse()
    let reading = Task { await read(requests, work, misuse) }
    let running = Task.detached { () async -> Result<LoadReport, SetupError> in
      do throws(SetupError) {
        return .success(try await work.run())
      } catch {
        return .failure(error)
      }
    }
    defer { reading.cancel() }
    do {
      for await event in work.events { try await responses.send(RunShareResponse(event: event)) }
    } catch {
      // Nobody listens any more. The agent isn't free before its load has ended.
      work.stop()
      _ = await running.value
      throw error
    }
    let result = await running.value
    if let error = misuse.error.withLock({ $0 }) { throw error }
    try await answer(result, work, responses)
  }

  private func read(
    _ requests: RequestStream<RunShareRequest>, _ work: ShareWork, _ misuse: Misuse
  ) async {
    do {
      for try await request in requests { try work.take(request.step) }
    } catch {
      misuse.error.withLock { $0 = error }
      work.stop()
    }
  }

  private func answer(
    _ result: Result<LoadReport, SetupError>, _ work: ShareWork,
    _ responses: ResponseWriter<RunShareResponse>
  ) async throws {
    switch result {
    case .failure(let error): throw AgentError.setUp(error)
    case .success(let report):
      for message in work.fingerprintMessages() {
        try await responses.send(RunShareResponse(event: .fingerprints(message)))
      }
      try await responses.send(RunShareResponse(event: .exchanges(work.exchangesMessage)))
      try await responses.send(RunShareResponse(event: .report(report.json.compact())))
    }
  }
}

/// What a coordinator did wrong, as the task found it that reads what it says.
private final class Misuse: Sendable {
  let error = Mutex<RPCError?>(nil)
}
