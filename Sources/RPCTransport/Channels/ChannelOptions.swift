/// The limits of a channel.
public struct ChannelOptions: Sendable {
  /// From the socket's opening to the end of the TLS handshake (10 s). Also the time that a server
  /// gives a peer that connects and stays silent.
  public var handshakeTimeout: Duration = .seconds(10)
  /// The bytes that one channel may read in one pass of its loop (64 KiB): more wait for the
  /// others.
  public var readBudget = 64 * 1024
  /// Queued output above which a producer is asked to pause (256 KiB).
  public var outputHighWater = 256 * 1024
  /// Queued output at which it may go on (64 KiB).
  public var outputLowWater = 64 * 1024
  /// Queued output at which the channel is given up (64 MiB): the last line of defence, far above
  /// what flow control allows.
  public var outputLimit = 64 * 1024 * 1024
  /// How long the peer may take no byte of queued output before the channel is given up (30 s).
  /// The kernel's `TCP_USER_TIMEOUT` is set to twice as long.
  public var writeStallTimeout: Duration = .seconds(30)
  /// How long a graceful close may take to send what is queued (5 s).
  public var closeTimeout: Duration = .seconds(5)
  /// How long input is still taken and dropped after a graceful close (1 s): closing with unread
  /// input would reset the connection, and the peer could lose what it hasn't read yet.
  public var discardTimeout: Duration = .seconds(1)
  /// How many TLS messages without data (key updates and the like) a peer may send in
  /// ``idleRecordWindow`` (64).
  public var idleRecordLimit = 64
  /// The sliding window in which they are counted (30 s).
  public var idleRecordWindow: Duration = .seconds(30)

  /// The defaults.
  public init() {}
}
