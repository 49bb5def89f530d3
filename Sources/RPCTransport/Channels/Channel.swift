import CLinux
import COpenSSL
public import RPCCore

/// One TLS connection, confined to its loop.
///
/// Everything but ``loop``, ``id`` and ``peer`` is to be used on that loop only. A channel that is
/// idle holds no buffers; one that is in use keeps its own. Input is read into memory that all
/// channels of the loop share; output is gathered and written once at the end of a pass.
public final class Channel: @unchecked Sendable {
  /// The loop that it lives on.
  public let loop: EventLoop
  /// A number that no other channel of this process has.
  public let id: UInt64
  /// The address of the other end.
  public let peer: SocketAddress
  /// What TLS negotiated. Known from ``ChannelHandler/channelActive(_:)`` on.
  public internal(set) var security = TLSInfo()
  /// How long making it took. Of a client's channels, known from
  /// ``ChannelHandler/channelActive(_:)`` on.
  public internal(set) var connectTimes = ConnectTimes()

  /// How many bytes a handler may leave unconsumed.
  public static let maximumUnconsumedBytes = InputScratch.capacity - minimumRead
  /// Room for a whole TLS record.
  static let minimumRead = 16 * 1024

  enum Phase: UInt8 {
    /// The TLS handshake is under way.
    case handshaking
    case open
    /// Closed by this side; what is queued is still being sent, input is dropped.
    case closing
    /// Dropped by this side; to be released at the end of the pass.
    case aborting
    /// Over; the socket stays a moment longer so that the peer can read the end.
    case lingering
    case released
  }

  @exclusivity(unchecked) var phase = Phase.handshaking
  /// On the loop's list of channels with output to write.
  @exclusivity(unchecked) var isDirty = false
  /// On the loop's list of channels with more to read.
  var isReady = false
  /// OpenSSL couldn't write everything: epoll will tell when it can.
  var isWriteBlocked = false
  /// Output rose above the high-water mark and hasn't come down yet.
  var isAboveHighWater = false
  /// Its peer has hung up, and it waits for its turn on the loop's list of those.
  var isHangUpWaiting = false
  var isPaused = false
  /// The kept input is to be presented again without waiting for more.
  var isInputWaiting = false
  /// The handler wants the others to have their turn.
  var hasYielded = false
  let descriptor: Int32
  var ssl: OpaquePointer?
  var interest: UInt32 = 0
  /// Its place in the loop's list of channels.
  var slot = -1
  /// Its place in the loop's list of channels that keep their buffers; -1: it doesn't.
  var busySlot = -1
  /// In use since the loop looked last.
  var wasBusy = false
  var idleRecords = RateBudget()
  /// The budget of TLS messages without data is spent.
  var hasTooManyIdleRecords = false
  /// Why the handshake is going to fail, as far as a callback of OpenSSL knew it.
  var handshakeNote: String?
  let limits: ChannelLimits
  var opener: (any ChannelOpener)?
  @exclusivity(unchecked) var handler: (any ChannelHandler)?
  /// Nothing calls a handler while it holds the output: no access can overlap another.
  @usableFromInline @exclusivity(unchecked) var output = OutputBuffer()
  /// The bytes of output that TLS has taken, in whole records, since the channel was opened. What
  /// lies behind them has certainly not reached the peer.
  @exclusivity(unchecked) public internal(set) var writtenBytes: UInt64 = 0
  /// What had gone through the socket when the channel ended.
  var finalWireBytes = WireBytes()
  var keptInput = KeptInput()
  var timer: LoopTimer?
  var lastProgress = MonotonicInstant(nanoseconds: 0)

  /// Takes over a connected, non-blocking socket and an SSL object that isn't attached to it yet.
  init(
    loop: EventLoop, id: UInt64, descriptor: Int32, ssl: OpaquePointer, peer: SocketAddress,
    limits: ChannelLimits, opener: any ChannelOpener
  ) {
    self.loop = loop
    self.id = id
    self.descriptor = descriptor
    self.ssl = ssl
    self.peer = peer
    self.limits = limits
    self.opener = opener
  }

  deinit {
    if let ssl { SSL_free(ssl) }
    keptInput.release()
  }

  // MARK: Use by handlers

  /// Whether bytes can still be sent.
  public var isOpen: Bool { phase == .open }

  /// Lets `body` append output, which is written at the end of the pass. After the channel's end it
  /// is dropped.
  @inlinable
  public func withOutput<R, E: Error>(
    _ body: (inout OutputBuffer) throws(E) -> R
  ) throws(E) -> R {
    assert(loop.isCurrent)
    let result = try body(&output)
    outputAppended()
    return result
  }

  /// The queued bytes that the socket hasn't taken yet.
  public var outputBytes: Int { output.count }

  /// Where the next byte of output is going to be, counted from the channel's beginning.
  public var outputPosition: UInt64 { writtenBytes + UInt64(output.count) }

  /// Whether more is queued than ``ChannelOptions/outputHighWater``: producers should wait for
  /// ``ChannelHandler/channelWritable(_:)``.
  public var isOutputFull: Bool { output.count > limits.outputHighWater }

  /// Stops and resumes reading. While it is set nothing is received, and the peer's sending comes
  /// to a halt. What the handler had left unconsumed is presented again after resuming.
  public var isReadingPaused: Bool {
    get { isPaused }
    set { newValue ? pauseReading() : resumeReading() }
  }

  /// How a channel is closed.
  public enum CloseMode: Sendable {
    /// Sends what is queued, says goodbye (close_notify), and takes input for a moment more.
    case graceful
    /// Drops the connection at once, with a reset.
    case abort
  }

  /// Closes the channel. ``ChannelHandler/channelEnded(_:reason:)`` follows, never within this
  /// call; nothing is received in between.
  public func close(_ mode: CloseMode = .graceful) {
    assert(loop.isCurrent)
    switch (phase, mode) {
    case (.open, .graceful): beginClosing()
    case (.handshaking, _), (.open, .abort), (.closing, .abort):
      phase = .aborting
      loop.markDirty(self)
    default: break
    }
  }

  // MARK: Events

  /// The descriptor is ready. The way of nearly all events: open, and something to read.
  @inline(__always)
  func ready(_ flags: UInt32) {
    guard phase == .open, flags & Self.unusual == 0, !isPaused else {
      return readySlowly(flags)
    }
    receive()
  }

  /// With a report of the peer's hang-up, which costs nothing as long as there is none.
  static let readable = UInt32(CLINUX_EPOLLIN) | hangUp
  static let writable = UInt32(CLINUX_EPOLLOUT)
  static let broken = UInt32(CLINUX_EPOLLERR) | UInt32(CLINUX_EPOLLHUP)
  static let hangUp = UInt32(CLINUX_EPOLLRDHUP)
  private static let unusual = writable | broken | hangUp

  @inline(never)
  private func readySlowly(_ flags: UInt32) {
    switch phase {
    case .handshaking:
      continueHandshake()
    case .open:
      if flags & (Self.broken | Self.hangUp) != 0, !isPaused, !loop.takeHangUp(self) { return }
      if flags & Self.writable != 0 { flush() }
      guard phase == .open, flags & ~Self.writable != 0 else { return }
      if isPaused { readyWhilePaused(flags) } else { receive() }
    case .closing:
      if flags & Self.writable != 0 { flush() }
      if phase == .closing, flags & ~Self.writable != 0 { discardWhileClosing() }
    case .lingering:
      discardWhileLingering()
    case .aborting, .released:
      break
    }
  }

  /// epoll reports input until it is told that nobody wants it, and a broken connection always.
  private func readyWhilePaused(_ flags: UInt32) {
    if flags & Self.broken != 0 {
      end(ChannelEnd(.reset, "the connection was lost"), flushed: false)
    } else {
      setInterest(interest & ~Self.readable)
    }
  }

  /// Its turn has come.
  func continueAfterHangUp() {
    if phase == .open && !isPaused { receive() }
  }

  func setInterest(_ flags: UInt32) {
    guard flags != interest else { return }
    interest = flags
    loop.poller.modify(descriptor, flags, Poller.target(self))
  }
}
