/// One end of a connection as a pure state machine: frames, calls of the layer above and instants
/// go in, actions come out, and frames to send are written into an output buffer.
///
/// It reads no clock, does no I/O and calls nobody back. Every input from a peer gives one of three
/// kinds of answers: an event, a legitimate drop, or a violation; a mistake of the layer above is
/// `misuse`. `Docs/protocol.md` has the rules.
///
/// How to drive it:
/// 1. `start` writes SETUP. Bytes that arrive go through `parse`, and whole frames through
///    `receive`.
/// 2. A server answers `.call` with `sendHeaders`, `sendMessage` and `end`, and calls
///    `handlerEnded` when its handler has returned. A client uses `openCall`, `sendMessage`,
///    `cancel`.
/// 3. After each call that may have written, flush the output. When it has gone below
///    `ConnectionConfiguration.outputHighWater` again, call `resume`.
/// 4. After each read tell with `inputWaits` how many bytes are left for the rest of their frame.
/// 5. Keep one timer at `nextDeadline`; when it fires call `tick` until it returns `.none`.
public struct Connection: ~Copyable {
  /// Which end this is.
  public let role: ConnectionRole
  /// What this end announces and enforces.
  public let configuration: ConnectionConfiguration
  /// What the peer announced; the protocol's defaults until then.
  public internal(set) var peer = PeerSettings()

  var streams = StreamTable()
  /// The highest stream id that was opened, by this side (client) or the peer (server).
  var highestOpened: UInt32 = 0
  /// Message bytes that may still be sent on the connection.
  var sendWindow = ProtocolDefaults.connectionWindow
  /// Message bytes that the peer may still send on the connection.
  var receive: ReceiveWindow
  var reassembly: ReassemblyBudget
  /// Streams with `withheld` bytes.
  var withholding = 0
  var budgets: AbuseBudgets
  var late = LateFrames()
  var keepAlive: KeepAlive
  var progress: FrameProgress
  var idle: IdleCheck
  var age: ConnectionAge
  var drainState = DrainState.none
  /// When the drain began, for a PING that had to wait.
  var drainClock = MonotonicInstant(nanoseconds: 0)
  /// Client: the last id of the server's DRAIN.
  var drainLimit: UInt32?
  /// The list of streams that have something to write and credit of their own.
  var readyHead: Int32 = -1
  var readyTail: Int32 = -1
  /// Streams whose queue has been written since the application was told to wait.
  var writable: [UInt32] = []
  /// No live call expires earlier.
  var earliestExpiry = MonotonicInstant.distantFuture
  /// When the peer's SETUP is overdue.
  var setupDeadline: MonotonicInstant
  var isStarted = false
  /// CLOSE was sent or received, or the transport is gone.
  public internal(set) var isClosed = false
  /// Server: this side drains because there was no call for `idleTimeout`.
  public internal(set) var isIdle = false
  /// Server: this side drains because the connection has its `maximumAge`.
  public internal(set) var isOld = false

  /// A connection whose TLS handshake is done.
  ///
  /// - Parameters:
  ///   - role: Which end this is.
  ///   - configuration: What it announces and enforces.
  ///   - now: The present.
  ///   - ageJitter: A random number from −1 to 1: by so many tenths its maximum age is longer.
  public init(
    role: ConnectionRole, configuration: ConnectionConfiguration, now: MonotonicInstant,
    ageJitter: Double = 0
  ) {
    self.role = role
    self.configuration = configuration
    receive = ReceiveWindow(size: configuration.connectionWindow)
    reassembly = ReassemblyBudget(
      limit: configuration.reassemblyBudget, message: configuration.maximumMessageSize)
    budgets = AbuseBudgets(
      configuration.abuse, concurrentCalls: configuration.maximumConcurrentCalls)
    keepAlive = KeepAlive(configuration.keepAlive, now: now)
    progress = FrameProgress(
      grace: configuration.frameTimeout, bytesPerSecond: configuration.minimumFrameRate)
    idle = IdleCheck(role == .server ? configuration.idleTimeout : nil, now: now)
    age = ConnectionAge(
      role == .server ? configuration.maximumAge : nil, grace: configuration.ageGrace,
      jitter: ageJitter, now: now)
    setupDeadline = now.advanced(by: configuration.setupTimeout)
  }

  /// Writes this side's SETUP: once, before anything else.
  public mutating func start(into output: inout OutputBuffer) {
    guard !isStarted else { return }
    isStarted = true
    let setup = Setup(configuration).encoded()
    output.appendFrame(.setup, .connection, payload: setup)
  }

  /// Calls that hold a slot. 0 on a connection that does nothing.
  public var liveCalls: Int { streams.count }
}
