import RPCCore

/// One side: its core, what it has written, and what has arrived and isn't a whole frame yet.
struct SimulatedEnd: ~Copyable {
  var connection: Connection
  var output = OutputBuffer()
  var inbox: [UInt8] = []

  init(_ role: ConnectionRole, _ configuration: ConnectionConfiguration, _ now: MonotonicInstant) {
    connection = Connection(role: role, configuration: configuration, now: now)
    connection.start(into: &output)
  }
}
