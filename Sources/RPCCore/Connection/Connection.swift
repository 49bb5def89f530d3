/// One end of a connection as a pure state machine: frames, calls of the layer above and instants go
/// in, actions come out, and frames to send are written into an output buffer.
///
/// It reads no clock, does no I/O and calls nobody back. Every input from a peer gives one of three
/// kinds of answers: an event, a legitimate drop, or a violation; a mistake of the layer above is
/// `misuse`. `Docs/protocol.md` has the rules.
///
/// How to drive it:
/// 1. `start` writes SETUP. Bytes that arrive go through `parse`, and whole frames through
///    `receive`.
/// 2. A server answers `.call` with `sendHeaders`, `sendMessage` and `end`, and calls `handlerEnded`
///    when its handler has returned. A client uses `openCall`, `sendMessage`, `cancel`.
/// 3. After each call that may have written, flush the output. When it has gone below
///    `ConnectionConfiguration.outputHighWater` again, call `resume`.
/// 4. Keep one timer at `nextDeadline`; when it fires call `tick` until it returns `.none`.
public struct Connection: ~Copyable {
  /// Which end this is.
  public let role: ConnectionRole
  /// What this end announces and enforces.
  public let configuration: ConnectionConfiguration
  /// What the peer announced; the protocol's defaults until then.
  public internal(set) var peer = PeerSettings()

  /// A connection whose TLS handshake is done.
  public init(role: ConnectionRole, configuration: ConnectionConfiguration, now: MonotonicInstant) {
    self.role = role
    self.configuration = configuration
  }
}
