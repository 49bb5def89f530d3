import RPC
import RPCCore
import RPCTransport

// What a pool does from time to time: closes idle connections, replaces old ones, looks names up
// again, and follows what servers say about their health.

extension ClientPool {
  /// Arms the timer for what is due next.
  func scheduleUpkeep() {
    guard !isClosing, !members.isEmpty else { return }
    var next = MonotonicInstant.distantFuture
    for member in members.values where member.counts { next = min(next, member.retireAt) }
    if let idleWatch, !isEager { next = min(next, loop.now.advanced(by: idleWatch.interval)) }
    if directory.literals == nil {
      // Not before a moment from now, so that a failing look-up isn't repeated at once.
      let due = lookUp.knownSince.advanced(by: configuration.resolution.maximumAge)
      next = min(next, max(due, loop.now.advanced(by: configuration.resolution.minimumInterval)))
    }
    guard next < .distantFuture else { return }
    let timer = upkeepTimer ?? loop.makeTimer { self.upkeep() }
    upkeepTimer = timer
    timer.arm(at: next)
  }

  private func upkeep() {
    guard !isClosing else { return }
    refreshNames(after: configuration.resolution.maximumAge)
    closeIfIdle()
    for member in members.values where member.counts && member.retireAt <= loop.now {
      retire(member)
    }
    connectIfNeeded()
    scheduleUpkeep()
  }

  /// The timers let go of the pool.
  func endTimers() {
    for timer in [upkeepTimer, dialTimer, lookUp.timer, pumpTimer, queueTimer] { timer?.disarm() }
    (upkeepTimer, dialTimer, lookUp.timer, pumpTimer, queueTimer) = (nil, nil, nil, nil, nil)
  }

  // MARK: Age

  /// Has another connection made in a connection's place, which goes on taking calls until then.
  private func retire(_ member: PoolMember) {
    guard reconnects else { return }
    uncount(member)
    member.isRetiring = true
  }

  /// The addresses have changed: connections to those that are gone are replaced, or let go of at
  /// once when others take calls.
  func retireUnlisted() {
    let isServed = ready.contains { book.contains($0.target) }
    for member in members.values where member.counts && !book.contains(member.target) {
      retire(member)
      guard isServed else { continue }
      leave(member)
      member.connection.closeWhenIdle()
    }
  }

  // MARK: Idleness

  private func closeIfIdle() {
    guard var watch = idleWatch, !isEager else { return }
    let isBusy = !waiting.isEmpty || members.values.contains { $0.isBusy }
    let isIdle = watch.sample(activity: counters.usersAttempts, isBusy: isBusy, now: loop.now)
    idleWatch = watch
    guard isIdle else { return }
    // All of them, so that none is made anew because of the others.
    for member in members.values {
      leave(member)
      member.connection.closeWhenIdle()
    }
  }

  // MARK: Health

  /// Begins to ask a connection's server whether it serves; the connection takes no calls until it
  /// says so.
  func watchHealth(of member: PoolMember, _ health: any HealthChecking) {
    let connection = member.connection
    // The task is cancelled when the connection takes no more calls, and lets go of both then.
    let report: @Sendable (Bool?) -> Void = { isServing in
      self.loop.post { self.healthReported(connection, isServing) }
    }
    member.healthTask = Task {
      await health.watch(ConnectionInvoker(connection)) { report($0) }
      report(nil)
    }
  }

  /// - Parameter isServing: Nil: there will be no further reports.
  private func healthReported(_ connection: ClientConnection, _ isServing: Bool?) {
    guard !isClosing, let member = members[ObjectIdentifier(connection)], member.counts else {
      return
    }
    let isFirst = !member.hasReported
    member.hasReported = true
    if isServing == nil { member.healthTask = nil }
    guard let isServing = isServing ?? (isFirst ? true : nil) else { return }
    guard isFirst || isServing != member.isHealthy else { return }
    if isServing != member.isHealthy {
      member.isHealthy = isServing
      book.healthChanged(member.target, isHealthy: isServing)
    }
    if isServing { serves(member) } else { servesNoMore(member) }
  }

  private func serves(_ member: PoolMember) {
    guard
      configuration.balancing != .pickFirst || ready.allSatisfy({ $0.target == member.target })
    else {
      // Another address has taken its place meanwhile.
      leave(member)
      return member.connection.closeWhenIdle()
    }
    becomesReady(member)
  }

  private func servesNoMore(_ member: PoolMember) {
    ready.removeAll { $0 === member.connection }
    lastFailure = RPCError(
      .unavailable, "the server at \(member.connection.info.address) says that it doesn't serve",
      phase: .queued, wasStarted: false)
    connectIfNeeded(force: true)
    settle()
  }
}
