import OnsideProto
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct ServerTimelineTests {
  private static let second: UInt64 = 1_000_000_000

  /// A server that uses half a core, and does 100 context switches and 10 syncs a second.
  private func state(
    _ instant: Double, process: Int32 = 7, syncs: Bool = true
  ) -> ServerTimeline.State {
    ServerTimeline.State(
      instant: UInt64(instant * 1e9), processes: [process],
      cpuNanoseconds: UInt64(instant * 0.5e9), contextSwitches: UInt64(instant * 100),
      residentBytes: UInt64(instant * 1000), peakResidentBytes: 9_000_000, descriptors: 12,
      syncs: syncs ? UInt64(instant * 10) : nil)
  }

  private func timeline(_ states: ServerTimeline.State...) -> ServerTimeline {
    var timeline = ServerTimeline()
    for state in states { timeline.add(state) }
    return timeline
  }

  @Test func useBetweenInstantsFollowsFromTheStatesAroundThem() throws {
    // The answers came in another order than that of their instants.
    let line = timeline(state(1), state(3), state(2), state(5))
    #expect(line.states.map(\.instant) == [1, 2, 3, 5].map { $0 * Self.second })
    let used = try #require(line.used(from: 3 * Self.second / 2, to: 4 * Self.second))
    #expect(used.pid == 7)
    #expect(used.cpuNanoseconds == 1_250_000_000)
    #expect(used.contextSwitches == 250)
    #expect(used.syncs == 25)
    // What is held is that of the first state after the end.
    #expect(used.residentBytes == 5000)
    #expect(used.peakResidentBytes == 9_000_000)
    #expect(used.descriptors == 12)
    #expect(line.used(from: Self.second, to: 5 * Self.second)?.cpuNanoseconds == 2_000_000_000)
  }

  @Test func whatIsNotKnownIsNotMadeUp() {
    let line = timeline(state(1), state(2), state(3, process: 8), state(4, process: 8))
    #expect(timeline().used(from: 0, to: 1) == nil)
    // Before the first state, after the last one, and across a restart.
    #expect(line.used(from: 0, to: 2 * Self.second) == nil)
    #expect(line.used(from: Self.second, to: 5 * Self.second) == nil)
    #expect(line.used(from: Self.second, to: 4 * Self.second) == nil)
    #expect(line.used(from: 3 * Self.second, to: 4 * Self.second)?.pid == 8)
    let memory = timeline(state(1, syncs: false), state(2, syncs: false))
    #expect(memory.used(from: Self.second, to: 2 * Self.second)?.syncs == nil)
  }

  @Test func secondsAreFilledFromTwoStates() {
    var second = SecondFigures(
      second: 1, isMeasured: true, ok: 1, failed: 0, p50: nil, p99: nil, clientCores: 0)
    let empty = second
    second.addServer(from: state(1), to: state(3, process: 8), elapsed: 1)
    second.addServer(from: state(3), to: state(1), elapsed: 1)
    #expect(second == empty)
    second.addServer(from: state(1), to: state(2.9), elapsed: 1)
    #expect(second.serverCores == 0.5)
    #expect(second.serverResidentBytes == 2900)
    #expect(second.serverDescriptors == 12)
    #expect(second.serverContextSwitches == 100)
  }

  @Test func statesOfSeveralServersAreAddedUp() throws {
    let process = ProcessStatus(
      pid: 3, cpuNs: 5, residentBytes: 10, peakResidentBytes: 20, openDescriptors: 4,
      contextSwitches: 6)
    let disk = GetServerStatusResponse(
      store: StoreStatus(kind: "sqlite", syncs: 9), process: process)
    let memory = GetServerStatusResponse(
      store: StoreStatus(kind: "memory", syncs: 0), process: process)
    let state = try #require(ServerTimeline.State([disk, memory], at: 77))
    #expect(state.processes == [3, 3])
    #expect(state.cpuNanoseconds == 10)
    #expect(state.residentBytes == 20)
    #expect(state.descriptors == 8)
    #expect(state.syncs == 9)
    #expect(ServerTimeline.State([memory], at: 0)?.syncs == nil)
    // One that says nothing of itself leaves a gap.
    #expect(ServerTimeline.State([disk, GetServerStatusResponse()], at: 0) == nil)
    #expect(ServerTimeline.State([], at: 0) == nil)
  }
}
