public import RPC
public import RPCCore
public import RPCTransport

/// How a client connects and what its calls may take.
public struct ClientConfiguration: Sendable {
  /// How many connections the pool has, spread over the event loops.
  public var connections = 1

  /// From the start of an attempt to the end of the TLS handshake; name resolution counts.
  public var connectTimeout = Duration.seconds(10)

  /// Between attempts to connect.
  public var backoff = Backoff()

  /// For calls that say no timeout; nil: the server's default decides.
  public var defaultTimeout: Duration? = .seconds(10)

  /// Limits of each connection: sizes, windows, keep-alive, budgets.
  public var connection = ConnectionConfiguration()

  /// Limits of each socket.
  public var channel = ChannelOptions()

  /// Requests of at least so many bytes are compressed for servers that take it; nil: none are.
  public var compressionThreshold: Int?

  /// Whether the server may send compressed responses.
  public var acceptsCompression = true

  /// How many times its size a compressed response over 1 MiB may inflate to.
  public var inflateRatioLimit = 100

  /// How often a call that the server didn't start is put on a connection, the first time included.
  /// Calls that wait for ready aren't limited.
  public var maximumAttempts = 5

  /// Which calls are sent again when they fail, or when their answer takes long. By default none:
  /// only those that the server certainly never started.
  public var policies = CallPolicies()

  /// Stops retries and hedging while too many calls fail; nil never does. It holds for all calls of
  /// the client that have a policy.
  public var retryThrottle: RetryThrottle.Policy? = RetryThrottle.Policy()

  /// How many calls of one event loop may wait for a connection or a free slot.
  public var queueLimit = 10_000

  /// Run around the calls of generated stubs, the first outermost.
  public var interceptors: [any ClientInterceptor] = []

  /// Gets what happens to connections, on their event loops; must not block.
  public var onConnectionEvent: @Sendable (ConnectionEvent) -> Void = { _ in }

  /// The defaults.
  public init() {}

  /// Whether a call that wasn't started may be put on a connection again. One that waits for a
  /// server to be ready does so until its deadline.
  func allowsAttempt(of call: OutgoingCall) -> Bool {
    call.options.waitsForReady || call.attempts < maximumAttempts
  }

  /// What each connection announces and enforces.
  var announced: ConnectionConfiguration {
    var connection = connection
    connection.acceptedCompression = acceptsCompression ? [.zlib] : []
    return connection
  }

  /// The channel's limits, so that it tells of free room in time for the connection's own.
  var channelOptions: ChannelOptions {
    var options = channel
    options.outputHighWater = min(
      options.outputHighWater, max(1, connection.outputHighWater - connection.fragmentSize))
    options.outputLowWater = min(options.outputLowWater, options.outputHighWater / 2)
    return options
  }
}

/// Something that happened to a client's connection.
public enum ConnectionEvent: Sendable {
  /// It was made.
  case opened(ConnectionInfo)

  /// An attempt failed; the error's phase says how far it came.
  case failed(RPCError)

  /// It ended, and why.
  case closed(String)
}

/// What is known of a connection that was made.
public struct ConnectionInfo: Sendable {
  /// The server's address.
  public var address: String

  /// `TLSv1.3 TLS_AES_128_GCM_SHA256`.
  public var security: String

  /// True: the handshake resumed an earlier session; false: it was a full one.
  public var isResumed: Bool

  /// From the start of the attempt to the end of the handshake.
  public var duration: Duration
}
