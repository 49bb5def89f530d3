import RPC
import RPCCore
import RPCTransport

extension ServerConnection {
  /// Stops taking calls; the connection ends when the accepted ones have.
  func drain() {
    guard !isOver else { return }
    channel.withOutput { core.drain(now: loop.now, into: &$0) }
    updateTimer()
    closeIfDrained()
  }

  /// Ends a connection whose drain is done.
  func closeIfDrained() {
    guard core.isDraining, core.isDrained else { return }
    close(.normal, "")
  }

  /// Says why, and ends the connection. Calls that run are lost.
  func close(_ code: CloseCode, _ text: String) {
    guard !isOver else { return }
    channel.withOutput { core.close(code, text, into: &$0) }
    finish()
  }

  /// The peer broke a rule; it has been told.
  func end(_ violation: ProtocolViolation) {
    counters.countViolation(violation.rule.rawValue)
    parts.configuration.onViolation(peer, violation)
    finish()
  }

  func cutConnection(of context: ServerContext) {
    assert(loop.isCurrent)
    guard !isOver else { return }
    isOver = true
    // It may not be among those that run yet: the cut may come before its handler has suspended.
    abandon(context, .connectionLost)
    channel.close(.abort)
  }

  /// Lets go of the channel. What is written is still sent; calls that run have nobody to answer.
  func finish() {
    guard !isOver else { return }
    isOver = true
    channel.close()
    for context in running.values { abandon(context, .connectionLost) }
  }
}
