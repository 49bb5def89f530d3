import RPC
import RPCCore
import RPCTransport

/// One client's connection: drives the protocol's state machine over a channel, and runs calls.
///
/// Confined to its loop. It never holds the state machine or the output while it calls a handler or
/// a handler's end, so that either may come back to it at once; which is why its properties do
/// without checks of exclusive access, that would cost a tenth of a small call.
final class ServerConnection: ChannelHandler, @unchecked Sendable {
  let parts: ServerParts
  let home: ServerLoop
  let loop: EventLoop
  let counters: LoopCounters
  let channel: Channel
  let peer: PeerInfo

  @exclusivity(unchecked) var core: Connection

  /// Calls whose handler hasn't ended, or whose request hasn't come whole.
  @exclusivity(unchecked) var running = StreamTable<ServerContext>()

  /// The context of the last call that was over at once: most need no other.
  @exclusivity(unchecked) var spare: ServerContext?

  /// The method of the last call: most are for the same.
  @exclusivity(unchecked) var lastMethod: RegisteredMethod?

  /// Set to end the connection; nothing is sent or received any more.
  @exclusivity(unchecked) var isOver = false

  /// That the connection drains for its age, or because nobody used it, has been counted.
  @exclusivity(unchecked) private var isDrainCounted = false

  /// Handlers that were started in the pass with the number `startedPass`. A channel may be
  /// presented its input twice in a pass.
  @exclusivity(unchecked) var started = 0
  @exclusivity(unchecked) private var startedPass = 0

  /// How many handlers one connection starts in a pass: the loop's other connections don't wait for
  /// more. A few bytes are a call, so that the channel's own budget of bytes comes too late.
  static let handlersPerPass = 32

  /// Received bytes that wait for the rest of their frame.
  @exclusivity(unchecked) var waitingInput = 0

  @exclusivity(unchecked) private var timer: LoopTimer?
  @exclusivity(unchecked) private var timerInstant = MonotonicInstant.distantFuture

  init(_ channel: Channel, home: ServerLoop) {
    self.home = home
    self.channel = channel
    parts = home.parts
    loop = home.loop
    counters = home.counters
    peer = PeerInfo(channel)
    let jitter = parts.connection.maximumAge == nil ? 0 : Double.random(in: -1...1)
    core = Connection(
      role: .server, configuration: parts.connection, now: home.loop.now, ageJitter: jitter)
  }

  func channelActive(_ channel: Channel) {
    home.add(self)
    channel.withOutput { core.start(into: &$0) }
    if home.isDraining { drain() }
    updateTimer()
  }

  func channelWritable(_ channel: Channel) {
    guard !isOver else { return }
    channel.withOutput { core.resume(into: &$0) }
    wakeWriters()
    closeIfDrained()
  }

  func channelPassEnded(_ channel: Channel) {
    guard !isOver else { return }
    core.inputWaits(waitingInput, now: loop.now)
    updateTimer()
  }

  func channelWrote(_ channel: Channel, count: Int) {
    counters.sentBytes.add(count)
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    isOver = true
    timer?.disarm()
    timer = nil
    spare = nil
    counters.countEnd(reason)
    core.transportEnded()
    for context in running.values { abandon(context, .connectionLost) }
    home.remove(self)
  }

  /// Forgets the handlers of earlier passes.
  func countPass() {
    let pass = loop.passes
    guard pass != startedPass else { return }
    startedPass = pass
    started = 0
  }

  /// Arms the timer for the state machine's next deadline. A timer that is early finds nothing to
  /// do and is armed again, which is cheaper than moving it with every call that ends.
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
      case .none:
        countDrain()
        closeIfDrained()
        return updateTimer()
      case .expired(let stream):
        expire(stream.rawValue)
      case .violation(let violation):
        end(violation)
      case .outlived:
        counters.outlivedConnections.add(1)
        finish()
      }
    }
  }

  /// Counts a drain that the state machine began by itself, once.
  private func countDrain() {
    guard !isDrainCounted, core.isIdle || core.isOld else { return }
    isDrainCounted = true
    (core.isOld ? counters.agedConnections : counters.idleConnections).add(1)
  }
}

extension PeerInfo {
  /// What a channel knows of its peer once the handshake is done.
  init(_ channel: Channel) {
    let security = channel.security
    self.init(
      address: "\(channel.peer)", security: "\(security.version) \(security.cipher)")
    if let found = security.peerCertificate {
      certificate = Certificate(
        subject: found.subject, alternativeNames: found.alternativeNames.map { "\($0)" },
        fingerprint: found.fingerprint)
    }
  }
}
