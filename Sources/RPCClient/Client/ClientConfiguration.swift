public import RPC
public import RPCCore
public import RPCTransport

/// How a client connects and what its calls may take.
public struct ClientConfiguration: Sendable {
  /// How many connections there are to each address that is used, spread over the event loops.
  public var connections = 1

  /// From the start of an attempt to the end of the TLS handshake. Looking a name up may take as
  /// long before.
  public var connectTimeout = Duration.seconds(10)

  /// Between attempts to connect to the same address, and between failed look-ups of a name.
  public var backoff = Backoff()

  /// Which addresses are used, and how calls are spread over them.
  public var balancing = Balancing.pickFirst

  /// How long the first address may take before the second one is tried beside it, and so on; for
  /// `.pickFirst`.
  public var addressStagger = Duration.milliseconds(250)

  /// Looks names up.
  public var resolver: any NameResolver = SystemResolver()

  /// When names are looked up again.
  public var resolution = ResolutionPolicy()

  /// Connections are closed when there was no call for so long, and made again for the next one;
  /// nil: never. Not while the client keeps them made because of `connect()`.
  public var idleTimeout: Duration? = .seconds(1800)

  /// Connections that are as old are replaced: another one is made first, then the old one takes no
  /// more calls and ends with its last. Nil: never.
  public var maximumConnectionAge: Duration?

  /// How far the age of a connection may be from the maximum, as a part of it, so that they aren't
  /// all replaced at once: 0.1 is ±10 %.
  public var connectionAgeJitter = 0.1

  /// Asks servers whether they serve; nil: those that can be connected to do.
  public var health: (any HealthChecking)?

  /// For calls that say no timeout; nil: the server's default decides.
  public var defaultTimeout: Duration? = .seconds(10)

  /// Limits of each connection: sizes, windows, keep-alive, budgets. With calls under way, a server
  /// that has been silent for 30 s is asked whether it lives.
  public var connection: ConnectionConfiguration = {
    var connection = ConnectionConfiguration()
    connection.keepAlive.interval = .seconds(30)
    return connection
  }()

  /// Limits of each socket.
  public var channel = ChannelOptions()

  /// Requests of at least so many bytes are compressed for servers that take it; nil: none are.
  public var compressionThreshold: Int?

  /// Whether the server may send compressed responses.
  public var acceptsCompression = true

  /// How many times its size a compressed response over 1 MiB may inflate to.
  public var inflateRatioLimit = 100

  /// How often a call is put on a connection whose server has no free slot for it, the first time
  /// included. Calls that wait for ready aren't limited, and connections that are drained or lost
  /// don't count.
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

  /// Gets the times of each call that was answered with OK, on its event loop and before the call
  /// does; must not block. Nil costs nothing.
  public var onAnswer: (@Sendable (AnswerTimes) -> Void)?

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

/// When a client looks the names of its endpoints up again.
public struct ResolutionPolicy: Sendable, Hashable {
  /// While there are connections: when the addresses are as old.
  public var maximumAge: Duration

  /// After a connection was lost or couldn't be made: not before so long since the last look-up.
  public var minimumInterval: Duration

  /// How many addresses of all endpoints together are used; those behind them aren't.
  public var maximumAddresses: Int

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - maximumAge: While there are connections: when the addresses are as old.
  ///   - minimumInterval: After failures: not before so long since the last look-up.
  ///   - maximumAddresses: How many addresses are used; at least 1.
  public init(
    maximumAge: Duration = .seconds(300), minimumInterval: Duration = .seconds(5),
    maximumAddresses: Int = 64
  ) {
    self.maximumAge = maximumAge
    self.minimumInterval = minimumInterval
    self.maximumAddresses = max(1, maximumAddresses)
  }
}

/// Something that happened to a client's connection.
public enum ConnectionEvent: Sendable {
  /// It was made.
  case opened(ConnectionInfo)

  /// An attempt failed; the error's phase says how far it came.
  case failed(RPCError)

  /// It ended: why, and what went over the wire while it was there.
  case closed(String, WireBytes)
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

  /// Of that: from the start of the socket's connecting to the TCP connection.
  public var tcp = Duration.zero

  /// Of that: from there to the end of the TLS handshake.
  public var tls = Duration.zero

  /// Whether the server asked for another key share, which takes one more round trip.
  public var isRetried = false
}

/// When what became of a call, by the loop's clock, which is read once for each pass.
public struct AnswerTimes: Sendable {
  /// It was put on a connection.
  public var opened: MonotonicInstant

  /// The first of its answer came.
  public var firstByte: MonotonicInstant

  /// The answer was complete.
  public var ended: MonotonicInstant

  /// What came with the answer's status.
  public var trailers: Metadata
}
