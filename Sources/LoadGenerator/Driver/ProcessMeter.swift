import Glibc
import LoadReporting
import RPCTransport

/// Reads what generator and server have used so far.
struct ProcessMeter: Sendable {
  /// What was read, at one instant.
  struct Reading: Sendable {
    var instant: UInt64
    var clientCPU: UInt64
    var serverCPU: UInt64?
    var serverSwitches: UInt64?
    var clientSwitches: UInt64?
  }

  let server: Int32?

  func read() -> Reading {
    Reading(
      instant: ProcessClock.monotonic(), clientCPU: ProcessClock.ownCPU(),
      serverCPU: server.flatMap { ProcessClock.cpu(ofProcess: $0) },
      serverSwitches: server.flatMap { ProcessDescriptors.contextSwitches(ofProcess: $0) },
      clientSwitches: ProcessDescriptors.contextSwitches(ofProcess: getpid()))
  }

  func clientFigures(from start: Reading, to end: Reading) -> ProcessFigures {
    let memory = ProcessMemory(ofProcess: getpid())
    var figures = ProcessFigures(
      pid: getpid(), cpuNanoseconds: end.clientCPU &- start.clientCPU,
      residentBytes: memory?.residentBytes, peakResidentBytes: memory?.peakResidentBytes)
    figures.descriptors = ProcessDescriptors.count(ofProcess: getpid())
    figures.liveBytes = OwnProcess.liveBytes
    figures.contextSwitches = switches(start.clientSwitches, end.clientSwitches)
    return figures
  }

  /// Nil if its process isn't known, or ended in between.
  func serverFigures(from start: Reading, to end: Reading) -> ProcessFigures? {
    guard let server, let before = start.serverCPU, let after = end.serverCPU else { return nil }
    let memory = ProcessMemory(ofProcess: server)
    var figures = ProcessFigures(
      pid: server, cpuNanoseconds: after &- before, residentBytes: memory?.residentBytes,
      peakResidentBytes: memory?.peakResidentBytes)
    figures.descriptors = ProcessDescriptors.count(ofProcess: server)
    figures.contextSwitches = switches(start.serverSwitches, end.serverSwitches)
    return figures
  }

  /// A thread that has ended takes its count with it, so that the sum may fall.
  private func switches(_ before: UInt64?, _ after: UInt64?) -> UInt64? {
    guard let before, let after, after >= before else { return nil }
    return after - before
  }
}
