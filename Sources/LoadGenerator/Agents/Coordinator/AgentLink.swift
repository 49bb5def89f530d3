import LoadReporting
import RPC
import RPCClient
import RPCTransport
import Synchronization

/// A coordinator's connection to one agent.
final class AgentLink: Sendable {
  /// What an agent says while it makes its share.
  enum Word: Sendable {
    case stage(String)
    case second(ToldSecond)
    case fingerprints(String, FingerprintSample)
    case exchanges([String: ExchangeCounts])
    case report(LoadReport)
    case machine(Machine)
    case message(Coordinator.Message)
  }

  private typealias Call = BidirectionalCall<RunShareRequest, RunShareResponse>

  private let client: RPCClient
  private let service: LoadAgentServiceClient
  private let call = Mutex<Call?>(nil)

  init(_ endpoint: Endpoint, tls: ClientTLS, group: EventLoopGroup) {
    client = RPCClient(to: endpoint, tls: tls, group: group, configuration: .coordinator)
    service = LoadAgentServiceClient(client)
  }

  private static let answerTimeout = Duration.seconds(10)

  /// Whether the agent is there, of this version, and free.
  ///
  /// - Parameter hear: told what it runs on.
  func describe(
    version: String, connections: Int, _ hear: (Word) -> Void
  ) async -> Coordinator.Message {
    do throws(RPCError) {
      let agent = try await service.describeAgent(
        DescribeAgentRequest(), options: CallOptions(timeout: Self.answerTimeout))
      hear(.machine(Machine(agent)))
      guard agent.version == version else {
        return .refused(
          AgentError.setUpError(AgentError.versions(own: agent.version, other: version))
            ?? SetupError(.refused, "another version"))
      }
      guard !agent.isBusy else {
        return .refused(SetupError(.refused, "it makes another load; try again when it is over"))
      }
      guard connections <= agent.connectionsLimit else {
        return .refused(
          SetupError(
            .refused,
            "its share has \(connections) connections and it permits \(agent.connectionsLimit)"))
      }
      return .described
    } catch {
      return Self.meaning(of: error)
    }
  }

  /// Compares the clocks.
  func measureClock() async -> Coordinator.Message {
    var trips: [ClockOffset.RoundTrip] = []
    do throws(RPCError) {
      for _ in 0..<ClockOffset.roundTrips {
        let sent = ProcessClock.monotonic()
        let answer = try await service.readClock(
          ReadClockRequest(), options: CallOptions(timeout: Self.answerTimeout))
        trips.append(
          .init(sent: sent, agent: answer.nanoseconds, received: ProcessClock.monotonic()))
      }
    } catch {
      return Self.meaning(of: error)
    }
    guard let clock = ClockOffset(trips) else { return .lost("its clock can't be compared") }
    return .clock(clock)
  }

  /// Sends the share, and hands on what comes until the call ends.
  func makeShare(_ share: LoadShare, _ hear: @Sendable (Word) -> Void) async {
    let call = service.runShare()
    self.call.withLock { $0 = call }
    do {
      try await call.requests.send(RunShareRequest(step: .share(share)))
      for try await response in call.responses {
        for word in try Self.words(response.event) { hear(word) }
      }
      hear(.message(.lost("it ended the call")))
    } catch let error as RPCError {
      hear(.message(Self.meaning(of: error)))
    } catch {
      hear(.message(.lost("what it says can't be read: \(error)")))
    }
  }

  private static func words(_ event: RunShareResponse.Event?) throws -> [Word] {
    switch event {
    case .stage(let text): return [.stage(printable(text))]
    case .ready: return [.message(.ready)]
    case .second(let second):
      return [.second(try ToldSecond(json: JSONValue(ofAgent: second.json))), .message(.second)]
    case .fingerprints(let part):
      let sample = FingerprintSample(zeroBits: Int(part.zeroBits), values: part.values)
      return [.fingerprints(printable(part.check), sample)]
    case .exchanges(let exchanges): return [.exchanges(try exchanges.counts())]
    case .report(let text):
      return [
        .report(try LoadReport(json: JSONValue(ofAgent: text))), .message(.finished),
      ]
    case nil: return []
    }
  }

  /// Begins the load at an instant of the agent's clock.
  func start(at instant: UInt64) async {
    await send(.start(ShareStart(nanoseconds: instant)))
  }

  /// Ends the load with a partial result.
  func stop() async {
    await send(.stop(ShareStop()))
  }

  private func send(_ step: RunShareRequest.Step) async {
    // If it can't be sent, the call has ended, and whoever reads its responses knows.
    try? await call.withLock { $0 }?.requests.send(RunShareRequest(step: step))
  }

  /// Gives the share up.
  func abandon() {
    call.withLock { $0 }?.cancel()
  }

  func close() async {
    abandon()
    call.withLock { $0 = nil }
    await client.close()
  }

  /// What the end of a call means: the agent refused, or is out of reach.
  private static func meaning(of error: RPCError) -> Coordinator.Message {
    if let refusal = AgentError.setUpError(error) { return .refused(refusal) }
    switch error.phase {
    case .handshake: return .refused(SetupError(.certificate, error.message))
    case .answered: return .refused(SetupError(.refused, "\(error.code): \(error.message)"))
    default: return .lost(error.message)
    }
  }
}

extension JSONValue {
  /// What an agent sent, with counts that can be added up.
  ///
  /// - Throws: if it is no JSON, or a count in it is absurd.
  fileprivate init(ofAgent text: String) throws {
    try self.init(parsing: text)
    guard !hasAbsurdCount else { throw AgentError.invalid("a number of it is too large") }
  }

  /// Whether a number is beyond 2⁵³. Times in nanoseconds may be: they are never added up, or as
  /// a histogram's sum, which wraps around.
  private var hasAbsurdCount: Bool {
    switch self {
    case .number(let text): abs(Double(text) ?? .infinity) > 0x1p53
    case .array(let elements): elements.contains(where: \.hasAbsurdCount)
    case .object(let members):
      members.contains { member in
        !["sum_ns", "min_ns", "max_ns", "load"].contains(member.name) && member.value.hasAbsurdCount
      }
    default: false
    }
  }
}

extension Machine {
  /// What an agent says that it runs on.
  fileprivate init(_ agent: DescribeAgentResponse) {
    let machine = agent.machine ?? AgentMachine()
    self.init(
      hostName: printable(agent.hostName), kernel: printable(machine.kernel),
      cpuModel: printable(machine.cpuModel), usableCores: Int(machine.usableCores),
      cores: Int(machine.cores))
  }
}
