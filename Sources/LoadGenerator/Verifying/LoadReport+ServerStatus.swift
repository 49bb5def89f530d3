import LoadReporting
import OnsideProto

extension ServerFacts {
  /// What a server says about itself.
  init(_ status: GetServerStatusResponse) {
    self.init()
    build = "\(status.version) (\(status.build))"
    durability = status.store?.durability
    tlsLibrary = status.tlsLibrary
    usableCores = Int(status.usableCores)
    loops = Int(status.eventLoops)
  }
}

extension LoadReport {
  /// Adds what the servers say of themselves, and compares their counters with the generator's.
  ///
  /// - Parameters:
  ///   - after: their states when the load is over.
  ///   - before: those from before it.
  ///   - timeline: what their processes used, instant by instant.
  ///   - measured: the window that the report is about.
  ///   - idle: what idle connections cost; nil: there were none.
  ///   - exchanges: what the generator did, by method; nil: it isn't known of all.
  mutating func add(
    _ after: [GetServerStatusResponse], _ before: [GetServerStatusResponse],
    _ timeline: ServerTimeline, measured: (from: UInt64, to: UInt64), idle: IdleFigures? = nil,
    exchanges: [String: ExchangeCounts]?
  ) {
    if let first = after.first { serverFacts = ServerFacts(first) }
    let used = timeline.used(from: measured.from, to: measured.to)
    if server == nil {
      server = used
      server?.residentBytesPerConnection = idle?.bytesPerConnection
      server?.idleCPUNanoseconds = idle?.cpuNanoseconds
    }
    server?.syncs = used?.syncs
    guard let exchanges else { return }
    let check = ServerCounterCheck(exchanges, before: before, after: after)
    checks.append(check.result)
    remarks += check.remarks
  }
}
