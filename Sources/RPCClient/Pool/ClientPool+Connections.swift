import RPC
import RPCCore
import RPCTransport

extension ClientPool: ConnectionOwner {
  func connectionOpened(_ connection: ClientConnection) {
    counters.openedConnections.add(1)
    configuration.onConnectionEvent(.opened(connection.info))
    let isNeeded = book.opened(connection.target) && !isClosing
    let member = PoolMember(
      connection, opened: loop.now,
      retireAt: age.end(opened: loop.now, random: Double.random(in: 0..<1)), counts: isNeeded)
    members[ObjectIdentifier(connection)] = member
    guard isNeeded else {
      leaving.append(connection)
      return connection.closeWhenIdle()
    }
    if configuration.balancing == .pickFirst, !book.isEmpty { cancelOthers(than: member.target) }
    scheduleUpkeep()
    // A lone connection is its user's, whatever its server says.
    guard let health = configuration.health, reconnects else { return becomesReady(member) }
    watchHealth(of: member, health)
  }

  /// One address is enough for pick-first.
  private func cancelOthers(than target: Target) {
    for (number, attempt) in attempts where attempt.target != target {
      attempts[number]?.isCancelled = true
      attempt.handle.cancel()
    }
  }

  /// A connection takes calls from now on.
  func becomesReady(_ member: PoolMember) {
    lastFailure = nil
    ready.append(member.connection)
    release(replacedBy: member)
    pump(member.connection)
    connectIfNeeded()
    settle()
  }

  /// Lets the connection go whose place this one takes; all that wait for it when there are to be
  /// no more.
  private func release(replacedBy fresh: PoolMember) {
    let isLast = book.isSettled(now: loop.now)
    for member in members.values where member.isRetiring && member !== fresh {
      guard
        isLast || configuration.balancing == .pickFirst || member.target == fresh.target
          || !book.contains(member.target)
      else { continue }
      leave(member)
      member.connection.closeWhenIdle()
      if !isLast { return }
    }
  }

  /// A connection takes no calls from now on.
  func leave(_ member: PoolMember, lifetime: Duration? = nil) {
    member.isRetiring = false
    member.healthTask?.cancel()
    member.healthTask = nil
    uncount(member, lifetime: lifetime)
    guard !leaving.contains(where: { $0 === member.connection }) else { return }
    ready.removeAll { $0 === member.connection }
    leaving.append(member.connection)
  }

  /// A connection doesn't count among those to its address any more.
  func uncount(_ member: PoolMember, lifetime: Duration? = nil) {
    guard member.counts else { return }
    member.counts = false
    book.closed(
      member.target, isHealthy: member.isHealthy, lifetime: lifetime, now: loop.now,
      random: Double.random(in: 0..<1))
  }

  func connectionHasRoom(_ connection: ClientConnection) {
    // A connection whose server hasn't said yet that it serves has room, too.
    guard !waiting.isEmpty, ready.contains(where: { $0 === connection }) else { return }
    pump(connection)
  }

  func connectionDrains(_ connection: ClientConnection) {
    guard let member = members[ObjectIdentifier(connection)],
      !leaving.contains(where: { $0 === connection })
    else { return }
    leave(member, lifetime: member.opened.duration(to: loop.now))
    guard !isClosing else { return }
    if ready.isEmpty { book.endBackoffs() }
    // Its place is filled before a call has to wait for it.
    if reconnects { connectIfNeeded(force: true) }
  }

  func connection(_ connection: ClientConnection, refused call: OutgoingCall) {
    requeue(call, from: connection)
  }

  func connectionEnded(_ connection: ClientConnection, _ reason: String) {
    let wasReady = ready.contains { $0 === connection }
    ready.removeAll { $0 === connection }
    counters.closedConnections.add(1)
    if wasReady, ready.isEmpty { book.endBackoffs() }
    if let member = members.removeValue(forKey: ObjectIdentifier(connection)) {
      member.healthTask?.cancel()
      uncount(member, lifetime: member.opened.duration(to: loop.now))
    }
    leaving.removeAll { $0 === connection }
    configuration.onConnectionEvent(.closed(reason, connection.channel.wireBytes))
    if !reconnects { endWithConnection(reason) }
    guard !isClosing else { return tellIfClosed() }
    refreshNames(after: configuration.resolution.minimumInterval)
    connectIfNeeded()
    settle()
  }

  private func endWithConnection(_ reason: String) {
    isClosing = true
    endTimers()
    for call in waiting.take(where: { _ in true }) {
      fail(call, .unavailable, "the connection ended before the call was sent: \(reason)")
    }
  }
}

extension ClientPool: CallCanceller {
  func cancel(_ call: OutgoingCall) {
    if loop.isCurrent { return giveUp(call) }
    loop.post { self.giveUp(call) }
  }

  private func giveUp(_ call: OutgoingCall) {
    if !waiting.isEmpty, !waiting.take(where: { $0 === call }).isEmpty {
      call.finish()
      var error = OutgoingCall.givenUp
      error.phase = .queued
      error.wasStarted = false
      return call.failed(error)
    }
    for connection in ready where connection.cancel(call) { return }
    for connection in leaving where connection.cancel(call) { return }
  }
}

extension ClientPool {
  /// Makes all connections, whether or not calls need them.
  func openAll(_ completion: @escaping @Sendable (RPCError?) -> Void) {
    isEager = true
    if let error = hopelessness { return completion(error) }
    onOpen.append(completion)
    connectIfNeeded()
    settle()
  }

  /// Takes no more calls, and ends the connections when theirs have ended.
  func close(_ completion: @escaping @Sendable () -> Void) {
    isClosing = true
    onClosed.append(completion)
    for call in waiting.take(where: { _ in true }) {
      fail(call, .unavailable, "the client is closed")
    }
    endPausing()
    cancelAttempts()
    for member in members.values {
      leave(member)
      member.connection.closeWhenIdle()
    }
    endTimers()
    tellIfClosed()
  }

  /// As `close`, once no call waits for a connection.
  func closeWhenServed(_ completion: @escaping @Sendable () -> Void) {
    onServed.append(completion)
    closeIfServed()
  }

  func closeIfServed() {
    guard !onServed.isEmpty, waiting.isEmpty else { return }
    let completions = onServed
    onServed = []
    close { for completion in completions { completion() } }
  }

  /// Doesn't wait for the calls that are on their way.
  func closeMembers() {
    for member in members.values { member.connection.close() }
  }

  func tellIfClosed() {
    guard isClosing, members.isEmpty, attempts.isEmpty else { return }
    let waiting = onClosed
    onClosed = []
    for completion in waiting { completion() }
  }
}
