/// What idle connections cost the server.
struct IdleFigures: Sendable {
  /// What a server's process has used and holds.
  struct State: Sendable {
    var cpuNanoseconds: UInt64
    var residentBytes: UInt64
  }

  /// Growth of the server's memory per connection, in bytes; nil: its process isn't known.
  private(set) var bytesPerConnection: Double?

  /// CPU time of the server while nothing happened; nil: its process isn't known.
  private(set) var cpuNanoseconds: UInt64?

  private let before: State?

  /// With the first connection made, which has the server allocate what it needs once.
  ///
  /// - Parameter state: the server's; nil: it isn't known.
  init(before state: State?) {
    before = state
  }

  /// Leaves the connections alone and looks at the server.
  ///
  /// - Parameter look: gives the server's state.
  mutating func wait(_ duration: Duration, connections: Int, look: () async -> State?) async {
    let start = await look()
    // Cancelled: the wait is over early, and the figures are of that time.
    try? await Task.sleep(for: duration)
    guard let end = await look() else { return }
    if let start, end.cpuNanoseconds >= start.cpuNanoseconds {
      cpuNanoseconds = end.cpuNanoseconds - start.cpuNanoseconds
    }
    if let before, connections > 1 {
      let growth = Double(end.residentBytes) - Double(before.residentBytes)
      bytesPerConnection = growth / Double(connections - 1)
    }
  }
}

extension RunSession {
  /// The server's process as it is now: under `/proc`, or as it says itself.
  func serverState() async -> IdleFigures.State? {
    if let server = meter.server {
      guard let cpu = ProcessClock.cpu(ofProcess: server),
        let memory = ProcessMemory(ofProcess: server)
      else { return nil }
      return IdleFigures.State(cpuNanoseconds: cpu, residentBytes: memory.residentBytes)
    }
    guard let sampler, (try? await sampler.statuses()) != nil,
      let state = sampler.states.states.last
    else { return nil }
    return IdleFigures.State(
      cpuNanoseconds: state.cpuNanoseconds, residentBytes: state.residentBytes)
  }
}
