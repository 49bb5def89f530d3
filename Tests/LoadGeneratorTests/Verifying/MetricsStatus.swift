import OnsideProto
import RPC
import RPCServer
import Synchronization

@testable import LoadGenerator

/// What a test's server says of itself: the calls that it has counted, and a process that has used
/// ten milliseconds more, a megabyte and a thousand syncs, each time that it is asked.
final class MetricsStatus: ServerStatusSource {
  private let server: LoginServer
  private let asked = Mutex(0)

  /// Calls that it pretends to have had besides, from the second answer on.
  private let extra: UInt64

  /// Fails instead.
  private let error: RPCError?

  init(_ server: LoginServer, extra: UInt64 = 0, error: RPCError? = nil) {
    (self.server, self.extra, self.error) = (server, extra, error)
  }

  func statuses() async throws(RPCError) -> [GetServerStatusResponse] {
    if let error { throw error }
    let count = asked.withLock { count in
      count += 1
      return count
    }
    let methods = server.server.metrics.methods.map { path, counts in
      let ok = UInt64(counts.answered[.ok] ?? 0) + (count > 1 ? extra : 0)
      return MethodStatus(
        method: path, started: UInt64(counts.started) + (count > 1 ? extra : 0), ok: ok,
        failed: counts.answered.filter { $0.key != .ok }.map {
          StatusCount(status: "\($0.key)", count: UInt64($0.value))
        })
    }
    let process = ProcessStatus(
      pid: 4711, cpuNs: UInt64(count) * 10_000_000, residentBytes: UInt64(count) << 20,
      peakResidentBytes: UInt64(count) << 20, openDescriptors: 33,
      contextSwitches: UInt64(count) * 50)
    return [
      GetServerStatusResponse(
        version: "test 1", build: "debug",
        store: StoreStatus(kind: "sqlite", syncs: UInt64(count) * 1000),
        process: process, methods: methods)
    ]
  }
}
