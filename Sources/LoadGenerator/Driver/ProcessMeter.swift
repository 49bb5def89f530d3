import Glibc
import LoadReporting

/// Reads what generator and server have used so far.
struct ProcessMeter: Sendable {
  /// What was read, at one instant.
  struct Reading: Sendable {
    var instant: UInt64
    var clientCPU: UInt64
    var serverCPU: UInt64?
  }

  let server: Int32?

  func read() -> Reading {
    Reading(
      instant: ProcessClock.monotonic(), clientCPU: ProcessClock.ownCPU(),
      serverCPU: server.flatMap { ProcessClock.cpu(ofProcess: $0) })
  }

  func clientFigures(from start: Reading, to end: Reading) -> ProcessFigures {
    let memory = ProcessMemory(ofProcess: getpid())
    return ProcessFigures(
      pid: getpid(), cpuNanoseconds: end.clientCPU &- start.clientCPU,
      residentBytes: memory?.residentBytes, peakResidentBytes: memory?.peakResidentBytes)
  }

  /// Nil if its process isn't known, or ended in between.
  func serverFigures(from start: Reading, to end: Reading) -> ProcessFigures? {
    guard let server, let before = start.serverCPU, let after = end.serverCPU else { return nil }
    let memory = ProcessMemory(ofProcess: server)
    return ProcessFigures(
      pid: server, cpuNanoseconds: after &- before, residentBytes: memory?.residentBytes,
      peakResidentBytes: memory?.peakResidentBytes)
  }
}
