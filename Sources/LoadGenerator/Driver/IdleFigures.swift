/// What idle connections cost the server.
struct IdleFigures: Sendable {
  /// Growth of the server's memory per connection, in bytes; nil: its process isn't known.
  private(set) var bytesPerConnection: Double?

  /// CPU time of the server while nothing happened; nil: its process isn't known.
  private(set) var cpuNanoseconds: UInt64?

  private let residentBefore: UInt64?

  /// With the first connection made, which has the server allocate what it needs once.
  init(before meter: ProcessMeter) {
    residentBefore = meter.server.flatMap { ProcessMemory(ofProcess: $0)?.residentBytes }
  }

  /// Leaves the connections alone and looks at the server.
  mutating func wait(_ duration: Duration, meter: ProcessMeter, connections: Int) async {
    let start = meter.read()
    // Cancelled: the wait is over early, and the figures are of that time.
    try? await Task.sleep(for: duration)
    let end = meter.read()
    if let before = start.serverCPU, let after = end.serverCPU { cpuNanoseconds = after &- before }
    let resident = meter.server.flatMap { ProcessMemory(ofProcess: $0)?.residentBytes }
    if let residentBefore, let resident, connections > 1 {
      let growth = Double(resident) - Double(residentBefore)
      bytesPerConnection = growth / Double(connections - 1)
    }
  }
}
