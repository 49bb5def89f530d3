import LoadReporting
import OnsideProto
import RPC
import Synchronization

/// Asks servers once a second how their processes are, as long as a load goes on. It is a call a
/// second on a connection of its own, beside the load and off its event loops.
final class ServerSampler: Sendable {
  private let source: any ServerStatusSource
  private let timeline = Mutex(ServerTimeline())
  private let asking = Mutex<Task<Void, Never>?>(nil)

  /// Before each tick, so that the answer is there when the second is put together.
  private static let ahead: UInt64 = 100_000_000

  init(_ source: any ServerStatusSource) {
    self.source = source
  }

  /// All that they have said so far.
  var states: ServerTimeline { timeline.withLock { $0 } }

  /// All that the servers say of themselves now.
  ///
  /// - Throws: Why one can't be asked.
  @discardableResult
  func statuses() async throws(RPCError) -> [GetServerStatusResponse] {
    let asked = ProcessClock.monotonic()
    let statuses = try await source.statuses()
    let answered = ProcessClock.monotonic()
    // The answer was true somewhere between.
    if let state = ServerTimeline.State(statuses, at: asked + (answered - asked) / 2) {
      timeline.withLock { $0.add(state) }
    }
    return statuses
  }

  /// The same when the load is over: where one can't be asked the report says why, and it is nil.
  func statuses(
    afterLoadOf report: inout LoadReport
  ) async -> [GetServerStatusResponse]? {
    do throws(RPCError) {
      return try await statuses()
    } catch {
      report.remarks.append("the server's status after the load isn't known: \(error.message)")
      return nil
    }
  }

  /// Asks, whatever comes of it: a server that doesn't answer leaves a gap.
  private func ask() async { _ = try? await statuses() }

  /// Asks now, and then once a second, until ``end()``.
  ///
  /// - Parameter start: when the load's first second began.
  func begin(at start: UInt64) {
    let task = Task {
      var next = start &+ 1_000_000_000 &- Self.ahead
      while !Task.isCancelled {
        await ask()
        let now = ProcessClock.monotonic()
        while next <= now { next &+= 1_000_000_000 }
        try? await Task.sleep(for: .nanoseconds(Int64(next - now)))
      }
    }
    asking.withLock { $0 = task }
  }

  /// Asks at once, beside the question of each second: an instant is to be known well.
  func askSoon() {
    Task { await ask() }
  }

  /// Asks no more.
  func end() async {
    let task = asking.withLock { task in
      defer { task = nil }
      return task
    }
    task?.cancel()
    await task?.value
  }
}

extension ServerTimeline.State {
  /// What servers say of themselves, all together; nil: there are none, or one says nothing.
  init?(_ statuses: [GetServerStatusResponse], at instant: UInt64) {
    let processes = statuses.compactMap(\.process)
    guard !statuses.isEmpty, processes.count == statuses.count else { return nil }
    self.init(
      instant: instant, processes: processes.map(\.pid),
      cpuNanoseconds: processes.reduce(0) { $0 &+ $1.cpuNs },
      contextSwitches: processes.reduce(0) { $0 &+ $1.contextSwitches },
      residentBytes: processes.reduce(0) { $0 &+ $1.residentBytes },
      peakResidentBytes: processes.reduce(0) { $0 &+ $1.peakResidentBytes },
      descriptors: processes.reduce(0) { $0 &+ Int($1.openDescriptors) })
    for store in statuses.compactMap(\.store) where store.kind != "memory" {
      syncs = (syncs ?? 0) &+ store.syncs
    }
  }
}
