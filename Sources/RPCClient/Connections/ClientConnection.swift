import RPC
import RPCCore
import RPCTransport

/// One connection to a server: drives the protocol's state machine over a channel, and carries
/// calls.
///
/// Confined to its loop. It never holds the state machine or the output while it tells a call its
/// outcome, so that the next call may be opened from there; which is why its properties do without
/// checks of exclusive access, that would cost a tenth of a small call.
final class ClientConnection: ChannelHandler, @unchecked Sendable {
  let channel: Channel
  let loop: EventLoop

  /// Let go of when the connection ends.
  @exclusivity(unchecked) var owner: (any ConnectionOwner)?

  /// Set to end the connection; nothing is sent or received any more.
  @exclusivity(unchecked) var isOver = false

  /// Closes the connection as soon as no call is left.
  @exclusivity(unchecked) var closesWhenIdle = false

  @exclusivity(unchecked) private var timerInstant = MonotonicInstant.distantFuture
  @exclusivity(unchecked) var calls = StreamTable<OutgoingCall>()
  let counters: ClientCounters
  let onAnswer: (@Sendable (AnswerTimes) -> Void)?
  @exclusivity(unchecked) var core: Connection

  // What each call passes by is above, so that it lies together.

  @exclusivity(unchecked) private var timer: LoopTimer?
  let configuration: ClientConfiguration
  let inflater: Inflater

  /// Where it leads.
  let target: Target
  var info: ConnectionInfo
  private var closeReason = ""

  init(
    _ channel: Channel, _ configuration: ClientConfiguration, owner: any ConnectionOwner,
    target: Target, info: ConnectionInfo
  ) {
    counters = owner.counters
    onAnswer = configuration.onAnswer
    self.target = target
    self.channel = channel
    self.configuration = configuration
    self.owner = owner
    self.info = info
    loop = channel.loop
    core = Connection(role: .client, configuration: configuration.announced, now: channel.loop.now)
    inflater = Inflater(
      messageLimit: configuration.connection.maximumMessageSize,
      ratioLimit: configuration.inflateRatioLimit)
  }

  /// Calls on their way.
  var callCount: Int { calls.count }

  /// Whether a call may be opened, as far as one can tell before trying.
  var takesCalls: Bool { !isOver && !closesWhenIdle && !core.isDraining }

  func channelActive(_ channel: Channel) {
    channel.withOutput { core.start(into: &$0) }
    updateTimer()
    owner?.connectionOpened(self)
  }

  func channelWritable(_ channel: Channel) {
    guard !isOver else { return }
    channel.withOutput { core.resume(into: &$0) }
    wakeWriters()
  }

  func channelPassEnded(_ channel: Channel) {
    guard !isOver else { return }
    updateTimer()
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    isOver = true
    timer?.disarm()
    timer = nil
    core.transportEnded()
    let text = closeReason.isEmpty ? "\(reason)" : closeReason
    loseCalls(text, end: reason)
    let owner = owner
    self.owner = nil
    owner?.connectionEnded(self, text)
  }

  /// Tells the calls that are left that their connection is gone.
  private func loseCalls(_ reason: String, end: ChannelEnd) {
    let refusal = handshakeRefusal(end)
    while let lost = core.popLiveStream() {
      guard let call = calls.remove(lost.stream.rawValue) else { continue }
      // What the transport hasn't taken can't have been started, whatever the server says.
      let isNotStarted = lost.isNotStarted || call.outputPosition >= channel.writtenBytes
      if isNotStarted, handBack(call) { continue }
      fail(call, refusal ?? lostError(reason, wasStarted: !isNotStarted))
    }
    for call in calls.removeAll() { fail(call, refusal ?? lostError(reason, wasStarted: true)) }
  }

  /// Gives a call that the server never started to the owner, to be opened elsewhere; false: there
  /// is no way to do so.
  func handBack(_ call: OutgoingCall) -> Bool {
    guard call.canBeSentAgain, configuration.allowsAttempt(of: call), let owner else {
      return false
    }
    if call.isStream { (call as? OutgoingStream)?.closedForAnother() }
    owner.connection(self, refused: call)
    return true
  }

  /// In TLS 1.3 a client is done with its handshake before the server has looked at the client's
  /// certificate: an alert in place of the server's first words is the end of the handshake.
  private func handshakeRefusal(_ end: ChannelEnd) -> RPCError? {
    guard end.code == .tls, !core.peer.isReceived else { return nil }
    return RPCError(
      .unavailable,
      "cannot connect to \(target.endpoint) (tls): the server refused the handshake: \(end.text)",
      cause: end, phase: .handshake, wasStarted: false)
  }

  private func lostError(_ reason: String, wasStarted: Bool) -> RPCError {
    RPCError(
      .unavailable, "the connection to \(info.address) ended before the answer: \(reason)",
      phase: .sent, wasStarted: wasStarted)
  }

  /// Ends the connection: says goodbye, and loses the calls that are on their way.
  func close(_ code: CloseCode = .normal, _ text: String = "") {
    guard !isOver else { return }
    channel.withOutput { core.close(code, text, into: &$0) }
    finish(text.isEmpty ? "closed by this side" : text)
  }

  /// Lets go of the channel; what is written is still sent.
  func finish(_ reason: String) {
    guard !isOver else { return }
    isOver = true
    closeReason = reason
    channel.close()
  }

  /// Takes no new calls and ends the connection when the last one has ended.
  func closeWhenIdle() {
    guard !isOver else { return }
    closesWhenIdle = true
    closeIfIdle()
  }

  func closeIfIdle() {
    guard closesWhenIdle || core.isDraining, calls.isEmpty else { return }
    close(.normal, closesWhenIdle ? "" : "drained by the server")
  }

  /// Arms the timer for the state machine's next deadline; an early one finds nothing to do.
  func updateTimer() {
    guard !isOver, let next = core.nextDeadline, next < timerInstant else { return }
    // Unowned, since it is disarmed at the channel's end: a weak reference would make counting the
    // connection's references slower for good.
    let timer = self.timer ?? loop.makeTimer { [unowned self] in timerFired() }
    self.timer = timer
    timerInstant = next
    timer.arm(at: next)
  }

  /// The peer has said who it is, and needn't hurry any more: thousands of idle connections would
  /// else wake the loop one by one, each for nothing.
  func putTimerOff() {
    timer?.disarm()
    timerInstant = .distantFuture
    updateTimer()
  }

  private func timerFired() {
    timerInstant = .distantFuture
    while !isOver {
      switch channel.withOutput({ core.tick(now: loop.now, into: &$0) }) {
      case .none: return updateTimer()
      case .expired(let stream): expire(stream)
      case .violation(let violation): finish("\(violation.code): \(violation.text)")
      case .outlived: finish("the connection has its maximum age")
      }
    }
  }

  private func expire(_ stream: StreamID) {
    _ = channel.withOutput { core.cancel(stream, into: &$0) }
    guard let call = calls.remove(stream.rawValue) else { return }
    fail(call, .expired(.sent, wasStarted: true))
    callEnded()
  }

  /// A call is gone: there may be room for another, or nothing left to wait for.
  func callEnded() {
    if closesWhenIdle || core.isDraining {
      closeIfIdle()
    } else if !isOver {
      owner?.connectionHasRoom(self)
    }
  }

  func fail(_ call: OutgoingCall, _ error: RPCError) {
    call.finish()
    call.failed(error)
  }
}

extension RPCError {
  /// A call's deadline has passed.
  static func expired(_ phase: Phase, wasStarted: Bool) -> RPCError {
    RPCError(
      .deadlineExceeded,
      wasStarted
        ? "the deadline passed before the answer came"
        : "the deadline passed before the call was sent",
      phase: phase, wasStarted: wasStarted)
  }
}
