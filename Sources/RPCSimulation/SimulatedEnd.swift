import RPCCore

/// One side: its core, what it has written, what has arrived and isn't a whole frame yet, and what
/// is known about its clock.
struct SimulatedEnd: ~Copyable {
  let name: String
  var connection: Connection
  var output = OutputBuffer()
  var inbox: [UInt8] = []
  /// When the last whole frame arrived.
  var lastReceived: MonotonicInstant
  /// Since when there has been a live call without a pause.
  var busySince: MonotonicInstant?
  /// The value of a PING that the application sent and that wasn't answered.
  var awaitedPong: UInt64?

  init(_ role: ConnectionRole, _ configuration: ConnectionConfiguration, _ now: MonotonicInstant) {
    name = role == .client ? "client" : "server"
    connection = Connection(role: role, configuration: configuration, now: now)
    lastReceived = now
    connection.start(into: &output)
  }

  /// The pause after which a silent peer must have been noticed.
  var longestSilence: Int64? {
    let policy = connection.configuration.keepAlive
    guard let interval = policy.interval else { return nil }
    // Clamped to what the peer allows; an earlier PING and a last frame may each cost a timeout.
    let clamped = max(interval.saturatedNanoseconds, connection.peer.minimumPingInterval)
    return clamped + 2 * policy.timeout.saturatedNanoseconds
  }

  /// A PONG has arrived: nil is one for the core. Whether the application had asked for it.
  mutating func takePong(_ value: UInt64?) -> Bool {
    guard let value else { return true }
    guard value == awaitedPong else { return false }
    awaitedPong = nil
    return true
  }
}
