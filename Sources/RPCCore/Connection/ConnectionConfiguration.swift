/// Which end of a connection this is.
public enum ConnectionRole: Sendable, Hashable {
  /// Opens calls.
  case client
  /// Answers calls.
  case server
}

/// Compression of messages that both sides can agree on. An open set.
public struct CompressionAlgorithm: RawRepresentable, Sendable, Hashable {
  /// The number in SETUP.
  public var rawValue: UInt32

  /// The algorithm with that number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// One zlib stream (RFC 1950) per message.
  public static let zlib = CompressionAlgorithm(rawValue: 1)
}

/// What a connection announces and enforces. Every value is per connection.
public struct ConnectionConfiguration: Sendable {
  /// The longest frame payload accepted, in bytes: 65,536 (the protocol's default) to 16 MiB.
  public var maximumFramePayload = ProtocolDefaults.framePayload
  /// The longest message accepted, in bytes as on the wire.
  public var maximumMessageSize = ProtocolDefaults.messageSize
  /// Server: calls accepted at the same time; a call counts until its handler has ended.
  public var maximumConcurrentCalls = ProtocolDefaults.concurrentCalls
  /// Message bytes that the peer may have under way on one stream: 64 KiB or more.
  public var streamWindow = ProtocolDefaults.streamWindow
  /// Message bytes that the peer may have under way on the connection: 1 MiB or more.
  public var connectionWindow = ProtocolDefaults.connectionWindow
  /// Bytes of unfinished messages held beyond their streams' windows; at least one message.
  public var reassemblyBudget = 4 * ProtocolDefaults.messageSize
  /// Compression that this side can undo.
  public var acceptedCompression: [CompressionAlgorithm] = []
  /// Feature bits offered; none are defined yet.
  public var features: UInt64 = 0
  /// Liveness checks of both sides.
  public var keepAlive = KeepAlivePolicy()
  /// Bounds on what a peer may do that costs it little and us much.
  public var abuse = AbuseLimits()
  /// The longest wait for the peer's SETUP.
  public var setupTimeout: Duration = .seconds(10)
  /// How long a frame may take from its first byte to its last, besides the time that the bytes of
  /// it that have come take at `minimumFrameRate`.
  public var frameTimeout: Duration = .seconds(10)
  /// Bytes a second, at least, of a frame that takes longer than `frameTimeout`.
  public var minimumFrameRate = 1024
  /// Server: how long a reply may stand still that still waits for the peer's credit after its
  /// call's deadline.
  public var replyTimeout: Duration = .seconds(30)
  /// Server: a connection without calls for so long, to twice as long, is drained; nil: never.
  public var idleTimeout: Duration?
  /// Server: a connection that is this old, give or take a tenth, is drained; nil: never.
  public var maximumAge: Duration?
  /// Server: how long calls may go on after a drain for age before the connection is closed; nil:
  /// for as long as they like.
  public var ageGrace: Duration?
  /// The longest wait between the two DRAIN frames.
  public var drainNotice: Duration = .seconds(1)
  /// Message frames are written while fewer bytes than this wait in the output buffer.
  public var outputHighWater = 128 * 1024
  /// With more bytes than this waiting, a peer that asks for further replies isn't reading: the
  /// connection ends.
  public var outputLimit = 8 * 1024 * 1024
  /// Long messages are cut into frames of this many bytes, so that short ones pass between.
  public var fragmentSize = 16 * 1024
  /// Client: the first stream id. Tests start near the end of the range.
  public var firstStream = StreamID(1)

  /// The protocol's defaults.
  public init() {}
}

/// The values that hold before a SETUP says otherwise.
public enum ProtocolDefaults {
  /// Longest frame payload, in bytes.
  public static let framePayload = 64 * 1024
  /// Longest message, in bytes.
  public static let messageSize = 4 * 1024 * 1024
  /// Calls open at the same time.
  public static let concurrentCalls = 100
  /// Credit of a new stream, in bytes.
  public static let streamWindow = 64 * 1024
  /// Credit of a new connection, in bytes.
  public static let connectionWindow = 1024 * 1024
  /// Longest SETUP payload, in bytes.
  public static let setupPayload = 4 * 1024
  /// Longest header block of CALL or HEADERS, in bytes.
  public static let headerBlock = 16 * 1024
  /// The largest window, in bytes.
  public static let largestWindow = 0x7FFF_FFFF
}

/// When to ask whether the peer still lives, and how often the peer may ask.
public struct KeepAlivePolicy: Sendable, Hashable {
  /// Silence after which a PING is sent; nil sends none. Raised to the interval the peer announces.
  public var interval: Duration?
  /// The longest wait for the PONG; then the connection counts as dead.
  public var timeout: Duration = .seconds(20)
  /// Whether PINGs are sent while no call is open.
  public var withoutCalls = false
  /// The shortest interval that this side accepts from the peer; announced in SETUP.
  public var minimumPeerInterval: Duration = .seconds(10)

  /// No PINGs of our own; the peer may ask every ten seconds.
  public init() {}
}

/// Budgets for events that are legal one by one: so many per sliding window, then the connection
/// ends with `CloseCode.budgetExceeded`.
public struct AbuseLimits: Sendable, Hashable {
  /// The length of the sliding window.
  public var window: Duration = .seconds(30)
  /// CANCELs from a client for calls that run and have more than 100 ms left; never less than twice
  /// the concurrent calls.
  public var cancels = 200
  /// Calls that end because the peer broke a rule of the stream (an oversized message).
  public var streamErrors = 200
  /// PINGs beyond the announced policy, and CREDITs beyond those that answer our messages.
  public var controlFrames = 10_000
  /// Frames of types 128–255, which are skipped.
  public var extensionFrames = 1_000
  /// MESSAGE frames with an empty message: they cost no credit.
  public var emptyMessages = 10_000
  /// Frames on streams that are over, beyond those that may have been under way when they ended.
  public var lateFrames = 1_000
  /// PINGs; a peer that keeps to the announced interval needs far fewer.
  public var pings = 100
  /// Server: calls refused because no slot was free or the connection drains.
  public var refusedCalls = 100_000

  /// The defaults.
  public init() {}
}
