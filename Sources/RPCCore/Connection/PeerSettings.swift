/// What the peer's SETUP said, or the defaults before it arrived.
public struct PeerSettings: Sendable, Hashable {
  /// Whether the SETUP has arrived.
  public internal(set) var isReceived = false
  /// The smaller of both sides' minor versions.
  public internal(set) var minorVersion: UInt32 = 0
  /// The features that both sides have.
  public internal(set) var features: UInt64 = 0
  /// The longest frame payload that the peer takes, in bytes.
  public internal(set) var maximumFramePayload = ProtocolDefaults.framePayload
  /// The longest message that the peer takes, in bytes.
  public internal(set) var maximumMessageSize = ProtocolDefaults.messageSize
  /// Calls that the server takes at the same time.
  public internal(set) var maximumConcurrentCalls = ProtocolDefaults.concurrentCalls
  /// Credit of a new stream towards the peer, in bytes.
  public internal(set) var streamWindow = ProtocolDefaults.streamWindow
  /// Credit of the connection towards the peer when it began, in bytes.
  public internal(set) var connectionWindow = ProtocolDefaults.connectionWindow
  /// The peer can undo zlib.
  public internal(set) var acceptsZlib = false
  /// The shortest interval between PINGs that the peer accepts, in nanoseconds.
  public internal(set) var minimumPingInterval: Int64 = 10_000_000_000

  init() {}
}
