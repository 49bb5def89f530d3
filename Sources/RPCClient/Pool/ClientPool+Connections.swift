import RPC
import RPCTransport

extension ClientPool: ConnectionOwner {
  func connectionOpened(_ connection: ClientConnection) { connected(connection) }

  func connectionHasRoom(_ connection: ClientConnection) {
    if !waiting.isEmpty { pump(connection) }
  }

  func connectionDrains(_ connection: ClientConnection) {
    guard let index = ready.firstIndex(where: { $0 === connection }) else { return }
    ready.remove(at: index)
    leaving.append(connection)
    guard !isClosing, lastFailure == nil, ready.count + connecting < size else { return }
    // Its place is filled before a call has to wait for it.
    if reconnects { connect() }
  }

  func connection(_ connection: ClientConnection, refused call: OutgoingCall) {
    requeue(call)
  }

  func connectionEnded(_ connection: ClientConnection, _ reason: String) {
    ready.removeAll { $0 === connection }
    leaving.removeAll { $0 === connection }
    counters.closedConnections.add(1)
    configuration.onConnectionEvent(.closed(reason))
    if !reconnects { endWithConnection(reason) }
    if isClosing { tellIfClosed() } else { connectIfNeeded() }
  }

  private func endWithConnection(_ reason: String) {
    isClosing = true
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
    if ready.count >= size { return completion(nil) }
    if let lastFailure, connecting == 0 { return completion(lastFailure) }
    onOpen.append(completion)
    connectIfNeeded()
  }

  /// Takes no more calls, and ends the connections when theirs have ended.
  func close(_ completion: @escaping @Sendable () -> Void) {
    isClosing = true
    onClosed.append(completion)
    for call in waiting.take(where: { _ in true }) {
      fail(call, .unavailable, "the client is closed")
    }
    endPausing()
    for connection in ready {
      leaving.append(connection)
      connection.closeWhenIdle()
    }
    ready = []
    tellIfClosed()
  }
}
