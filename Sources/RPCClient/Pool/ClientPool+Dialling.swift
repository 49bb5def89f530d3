import RPC
import RPCCore
import RPCTransport

// Names, addresses, and attempts to connect.

extension ClientPool {
  /// An attempt to connect that is under way.
  struct Attempt {
    let target: Target
    let handle: ConnectAttempt
    /// This side gave it up: its end is no failure.
    var isCancelled = false
  }

  /// The state of the look-up of the endpoints' names.
  struct LookUp {
    var isUnderWay = false
    /// Tells one look-up from those before it.
    var number = 0
    var failures = 0
    /// When the next one may begin.
    var notBefore = MonotonicInstant(nanoseconds: .min)
    /// When the addresses in the book were known.
    var knownSince = MonotonicInstant(nanoseconds: .min)
    var timer: LoopTimer?
  }

  /// Whether connections are to be made that there aren't yet.
  private var isWanted: Bool {
    isEager || !waiting.isEmpty || (configuration.balancing != .pickFirst && !ready.isEmpty)
      || members.values.contains { $0.isRetiring }
  }

  /// Why a call that doesn't wait fails at once; nil when there is something to wait for.
  var hopelessness: RPCError? {
    guard ready.isEmpty, let lastFailure else { return nil }
    if book.isEmpty {
      return !lookUp.isUnderWay && lookUp.notBefore > loop.now ? lastFailure : nil
    }
    return book.isHopeless(now: loop.now) ? lastFailure : nil
  }

  /// Begins as many attempts as there is need for, unless all have to wait.
  ///
  /// - Parameter force: True to fill the place of a connection that leaves, whether or not a call
  ///   waits.
  func connectIfNeeded(force: Bool = false) {
    guard !isClosing, force || isWanted else { return }
    if book.isEmpty { return lookNamesUp() }
    while let target = book.next(now: loop.now) { dial(target) }
    guard let instant = book.wakeup(now: loop.now) else { return }
    let timer = dialTimer ?? loop.makeTimer { self.dialTimerFired() }
    dialTimer = timer
    timer.arm(at: instant)
  }

  private func dialTimerFired() {
    connectIfNeeded()
    settle()
  }

  private func dial(_ target: Target) {
    lastAttempt += 1
    let number = lastAttempt
    let handle = dialer.dial(target, on: loop, owner: self) { error in
      self.attemptEnded(number, error)
    }
    attempts[number] = Attempt(target: target, handle: handle)
  }

  /// Gives the attempts up that aren't needed any more.
  func cancelAttempts() {
    for number in attempts.keys {
      attempts[number]?.isCancelled = true
      attempts[number]?.handle.cancel()
    }
  }

  private func attemptEnded(_ number: Int, _ error: ConnectError?) {
    guard let attempt = attempts.removeValue(forKey: number) else { return }
    if let error {
      if attempt.isCancelled {
        book.abandoned(attempt.target)
      } else {
        attemptFailed(attempt.target, RPCError(error))
      }
    }
    if isClosing { return tellIfClosed() }
    failIfHopeless()
    connectIfNeeded()
    settle()
  }

  private func attemptFailed(_ target: Target, _ error: RPCError) {
    counters.countFailure(error.phase)
    configuration.onConnectionEvent(.failed(error))
    lastFailure = error
    book.failed(target, now: loop.now, random: Double.random(in: 0..<1))
    // The name may lead elsewhere by now.
    refreshNames(after: configuration.resolution.minimumInterval)
  }

  /// Tells those who wait for connections how it ended, once nothing more is under way.
  func settle() {
    let error = hopelessness
    if error != nil { failIfHopeless() }
    if let error, !reconnects { return endUnopened(error) }
    guard !onOpen.isEmpty, error != nil || !ready.isEmpty, book.isSettled(now: loop.now) else {
      return
    }
    tellOpen(error)
  }

  private func endUnopened(_ error: RPCError) {
    isClosing = true
    endTimers()
    tellOpen(error)
    for call in waiting.take(where: { _ in true }) {
      call.finish()
      call.failed(error)
    }
    tellIfClosed()
  }

  private func tellOpen(_ error: RPCError?) {
    let waiting = onOpen
    onOpen = []
    for completion in waiting { completion(error) }
  }

  // MARK: Names

  private func lookNamesUp() {
    guard !lookUp.isUnderWay else { return }
    guard lookUp.notBefore <= loop.now else {
      let timer = dialTimer ?? loop.makeTimer { self.dialTimerFired() }
      dialTimer = timer
      return timer.arm(at: lookUp.notBefore)
    }
    beginLookUp(notBefore: loop.now.advanced(by: .zero - configuration.resolution.minimumInterval))
  }

  /// Looks the names up again, unless they were looked up less than this time ago.
  func refreshNames(after age: Duration) {
    guard directory.literals == nil, !isClosing, !lookUp.isUnderWay, !book.isEmpty,
      lookUp.knownSince.advanced(by: age) <= loop.now, lookUp.notBefore <= loop.now
    else { return }
    beginLookUp(notBefore: loop.now.advanced(by: .zero - age))
  }

  private func beginLookUp(notBefore: MonotonicInstant) {
    lookUp.isUnderWay = true
    lookUp.number += 1
    let number = lookUp.number
    if directory.literals == nil {
      lookUp.timer = loop.schedule(at: loop.now.advanced(by: configuration.connectTimeout)) {
        self.lookUpTimedOut(number)
      }
    }
    directory.lookUp(notBefore: notBefore) { outcome in
      if self.loop.isCurrent {
        self.lookUpEnded(number, outcome)
      } else {
        self.loop.post { self.lookUpEnded(number, outcome) }
      }
    }
  }

  private func lookUpTimedOut(_ number: Int) {
    lookUpEnded(
      number,
      .failure(
        RPCError(
          .unavailable, "the server's name wasn't looked up within the connect timeout",
          phase: .resolving, wasStarted: false)))
  }

  private func lookUpEnded(_ number: Int, _ outcome: AddressDirectory.Outcome) {
    guard lookUp.isUnderWay, lookUp.number == number else { return }
    lookUp.isUnderWay = false
    lookUp.timer?.disarm()
    lookUp.timer = nil
    guard !isClosing else { return }
    switch outcome {
    case .success(let targets) where !targets.isEmpty:
      lookUp.failures = 0
      lookUp.knownSince = loop.now
      book.replace(Array(targets.prefix(max(1, configuration.resolution.maximumAddresses))))
      retireUnlisted()
    case .success:
      lookUpFailed(
        RPCError(
          .unavailable, "the client has no address to connect to: give it an endpoint",
          phase: .resolving, wasStarted: false))
    case .failure(let error): lookUpFailed(error)
    }
    connectIfNeeded()
    settle()
  }

  private func lookUpFailed(_ error: RPCError) {
    lookUp.failures += 1
    let delay = configuration.backoff.delay(
      afterFailures: lookUp.failures, random: Double.random(in: 0..<1))
    lookUp.notBefore = loop.now.advanced(by: delay)
    counters.countFailure(error.phase)
    configuration.onConnectionEvent(.failed(error))
    if book.isEmpty { lastFailure = error }
  }
}
