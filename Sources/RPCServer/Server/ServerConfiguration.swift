public import RPC
public import RPCCore
public import RPCTransport

/// What a server allows, and what it does around its calls.
public struct ServerConfiguration: Sendable {
  /// Limits of each connection: sizes, windows, slots, keep-alive, budgets against abuse. A server
  /// asks clients that have open calls every minute whether they live, and drains connections that
  /// weren't used for half an hour.
  public var connection: ConnectionConfiguration = {
    var connection = ConnectionConfiguration()
    connection.keepAlive.interval = .seconds(60)
    connection.idleTimeout = .seconds(1800)
    return connection
  }()

  /// How long calls may run: 10 s for calls without a timeout, at most an hour.
  public var deadlines: DeadlinePolicy = {
    var policy = DeadlinePolicy()
    policy.maximum = .seconds(3600)
    return policy
  }()

  /// Limits of each socket: handshake time, output waiting to be read, stalls.
  public var channel = ChannelOptions()

  /// Responses of at least so many bytes are compressed for clients that take it; nil: none are.
  public var compressionThreshold: Int?

  /// Whether clients may send compressed requests.
  public var acceptsCompression = true

  /// How many times its size a compressed request over 1 MiB may inflate to.
  public var inflateRatioLimit = 100

  /// Where the handlers of offloaded methods run.
  public var offload = OffloadConfiguration()

  /// Run around every handler, the first outermost.
  public var interceptors: [any ServerInterceptor] = []

  /// A handler that holds its event loop for longer is reported, at the latest when it does so for
  /// a half longer; nil: none is, and nobody looks. At least 4 ms. Such a method should be
  /// offloaded.
  public var slowHandlerThreshold: Duration? = .milliseconds(50)

  /// Gets the method of a handler that holds its event loop, and for how long it has by now; again
  /// when that has doubled. It runs on a thread of its own and must not block for long.
  public var onSlowHandler: @Sendable (MethodDescriptor, Duration) -> Void = { _, _ in }

  /// Gets each error whose text the caller didn't get, with the method that threw it. It runs on an
  /// event loop and must not block.
  public var onHiddenError: @Sendable (MethodDescriptor, any Error) -> Void = { _, _ in }

  /// Gets each rule that a peer broke, with the peer's address, before the connection is closed. It
  /// runs on an event loop and must not block.
  public var onViolation: @Sendable (PeerInfo, ProtocolViolation) -> Void = { _, _ in }

  /// The defaults.
  public init() {}
}
