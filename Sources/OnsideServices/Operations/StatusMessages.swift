import OnsideProto
import OnsideStore
import RPC
import RPCServer
import RPCTransport

extension StoreStatus {
  /// What a store is, and what it has done.
  init(of store: any Store) {
    let (facts, counters) = (store.facts, store.counters)
    self.init(
      kind: facts.kind, durability: facts.durability, synchronous: facts.synchronous,
      batchLimit: Int32(clamping: facts.batchLimit), commits: UInt64(clamping: counters.commits),
      committedRequests: UInt64(clamping: counters.committedRequests),
      syncs: UInt64(clamping: counters.syncs))
  }
}

extension ProcessStatus {
  /// What the process has used.
  init(_ process: OwnProcess) {
    self.init(
      pid: process.id, cpuNs: process.cpuNanoseconds, residentBytes: process.residentBytes,
      peakResidentBytes: process.peakResidentBytes,
      openDescriptors: Int32(clamping: process.descriptors),
      contextSwitches: process.contextSwitches)
  }
}

extension ConnectionStatus {
  /// The part of the counters that is about connections.
  init(_ metrics: ServerMetrics) {
    let listening = metrics.listening
    self.init(
      accepted: UInt64(clamping: listening.accepted),
      refused: UInt64(clamping: listening.refused + listening.refusedByAddress),
      open: UInt64(clamping: listening.open), handshakes: UInt64(clamping: listening.handshakes),
      resumed: UInt64(clamping: listening.resumed),
      failedHandshakes: UInt64(clamping: listening.handshakeFailures),
      receivedBytes: UInt64(clamping: metrics.receivedBytes),
      sentBytes: UInt64(clamping: metrics.sentBytes))
  }
}

extension MethodStatus {
  /// The calls of one method.
  init(_ path: String, _ counts: ServerMetrics.MethodCounts) {
    self.init(
      method: path, started: UInt64(clamping: counts.started),
      ok: UInt64(clamping: counts.answered[.ok] ?? 0),
      failed: counts.answered.filter { $0.key != .ok }.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { StatusCount(status: $0.key.description, count: UInt64(clamping: $0.value)) })
  }
}
