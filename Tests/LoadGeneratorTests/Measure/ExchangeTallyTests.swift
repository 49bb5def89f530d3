import OnsideProto
import RPC
import Synchronization
import Testing

@testable import LoadGenerator

@Suite struct ExchangeTallyTests {
  /// Answers all calls alike, and keeps which of them asked for the service time.
  private final class Answers: CallInvoker {
    let interceptors: [any ClientInterceptor] = []
    let error: RPCError?
    let asked = Mutex<[Bool]>([])

    init(_ error: RPCError? = nil) {
      self.error = error
    }

    func start(_ call: OutgoingCall) {
      let asks = call.options.metadata.first(ServiceTime.requestKey) == "1"
      asked.withLock { $0.append(asks) }
      guard let error else {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return call.succeeded(nothing, trailingMetadata: Metadata())
      }
      call.failed(error)
    }

    func cancel(_ call: OutgoingCall) {}
  }

  private func calls(
    _ number: Int, _ error: RPCError? = nil, _ sampling: ServiceTimeSampling = .off
  ) async -> (ExchangeCounts?, asked: [Bool]) {
    let (answers, tally) = (Answers(error), ExchangeTally(sampling))
    let login = LoginServiceClient(TalliedInvoker(base: answers, tally: tally))
    for _ in 0..<number { _ = try? await login.getProfile(GetProfileRequest()) }
    #expect(tally.counts.count == 1)
    return (
      tally.counts["onside.v1.LoginService/GetProfile"], answers.asked.withLock { $0 }
    )
  }

  @Test func callsAreCountedByTheirEnd() async {
    #expect(await calls(3).0 == ExchangeCounts(started: 3, ok: 3))
    let refused = RPCError(.notFound, "no", phase: .answered)
    #expect(await calls(2, refused).0 == ExchangeCounts(started: 2, refused: 2))
    var unstarted = RPCError(.unavailable, "no", phase: .connecting)
    unstarted.wasStarted = false
    #expect(await calls(2, unstarted).0 == ExchangeCounts(started: 2, unstarted: 2))
    let lost = await calls(2, RPCError(.unavailable, "gone", phase: .sent)).0
    #expect(lost == ExchangeCounts(started: 2))
    #expect(lost?.lost == 2)
  }

  @Test func someCallsAskForTheServiceTime() async {
    #expect(await calls(40, nil, .off).asked.count { $0 } == 0)
    #expect(await calls(40, nil, .all).asked.count { $0 } == 40)
    let sampled = await calls(40, nil, .sampled).asked
    #expect(sampled.indices.filter { sampled[$0] } == [0, 16, 32])
  }

  @Test func aCallThatIsUsedAgainAsksWhenItIsItsTurn() throws {
    var options = CallOptions()
    try options.metadata.add("a", "b")
    for (sampling, places) in [
      (ServiceTimeSampling.sampled, [0, 16, 32]), (.off, []), (.all, Array(0..<40)),
    ] {
      var turn = ServiceTimeTurn(sampling, options: options)
      let call = OutgoingCall(LoginServiceMethods.getProfile, options: options)
      let asked = (0..<40).map { _ in
        turn.prepare(call)
        #expect(call.options.metadata.first("a") == "b")
        return call.options.metadata.first(ServiceTime.requestKey) == "1"
      }
      #expect(asked.indices.filter { asked[$0] } == places)
    }
  }
}
