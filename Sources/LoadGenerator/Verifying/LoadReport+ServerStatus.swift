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

extension ProcessFigures {
  /// What the servers' processes used between two states, all together. Of servers on other
  /// machines these are all that is known.
  ///
  /// Nil: one of them isn't the same as before, or doesn't tell.
  init?(from before: [GetServerStatusResponse], to after: [GetServerStatusResponse]) {
    guard !before.isEmpty, before.count == after.count else { return nil }
    self.init(pid: after[0].process?.pid ?? 0, cpuNanoseconds: 0)
    (residentBytes, peakResidentBytes, descriptors, contextSwitches) = (0, 0, 0, 0)
    for (first, last) in zip(before, after) {
      guard let first = first.process, let last = last.process, first.pid == last.pid,
        last.cpuNs >= first.cpuNs
      else { return nil }
      cpuNanoseconds += last.cpuNs - first.cpuNs
      residentBytes? += last.residentBytes
      peakResidentBytes? += last.peakResidentBytes
      descriptors? += Int(last.openDescriptors)
      contextSwitches? += last.contextSwitches &- min(last.contextSwitches, first.contextSwitches)
    }
  }
}

extension [GetServerStatusResponse] {
  /// Syncs of the stores' disks between earlier states and these; nil: nothing is kept.
  func syncs(since before: [GetServerStatusResponse]) -> UInt64? {
    guard count == before.count else { return nil }
    var sum: UInt64?
    for (old, new) in zip(before, self) {
      guard let old = old.store, let new = new.store, new.kind != "memory", new.syncs >= old.syncs
      else { continue }
      sum = (sum ?? 0) + (new.syncs - old.syncs)
    }
    return sum
  }
}
