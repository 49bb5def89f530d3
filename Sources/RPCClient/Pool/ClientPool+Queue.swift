import RPC
import RPCCore
import RPCTransport

// Calls that wait for a connection or for a slot.

extension ClientPool {
  /// Puts a call behind those that wait, unless there is nothing that it could wait for.
  func enqueue(_ call: OutgoingCall) {
    if !call.options.waitsForReady, let error = hopelessness {
      call.finish()
      return call.failed(error)
    }
    guard waiting.count < configuration.queueLimit else {
      return fail(
        call, .resourceExhausted,
        "\(waiting.count) calls wait for a connection already; raise queueLimit or connections")
    }
    waiting.append(call)
    watch(call.deadline)
    connectIfNeeded()
  }

  /// Opens waiting calls on a connection while it takes them.
  func pump(_ connection: ClientConnection) {
    while connection.takesCalls, let call = waiting.popFirst() {
      guard connection.open(call) != .taken else { continue }
      waiting.prepend(call)
      break
    }
    closeIfServed()
  }

  func pumpAll() {
    for connection in ready where !waiting.isEmpty { pump(connection) }
    if !waiting.isEmpty { connectIfNeeded() }
  }

  /// Takes a call back that was refused, or lost, without having been started: it goes to another
  /// connection at once, or waits for one.
  func requeue(_ call: OutgoingCall, from connection: ClientConnection) {
    guard !isClosing else { return fail(call, .unavailable, "the client is closed") }
    counters.transparentRetries.add(1)
    call.stream = 0
    // A connection that goes says nothing about the next one: only refusals are limited.
    if !connection.takesCalls { call.attempts = max(0, call.attempts - 1) }
    if openElsewhere(call, than: connection) { return }
    if !call.options.waitsForReady, let error = hopelessness {
      call.finish()
      return call.failed(error)
    }
    waiting.prepend(call)
    watch(call.deadline)
    // For want of a slot: sooner, the same one would refuse it again.
    if connection.takesCalls { pumpLater(call.attempts) }
    connectIfNeeded()
  }

  private func pumpLater(_ attempts: Int) {
    let delay = Duration.milliseconds(5) * (1 << min(attempts, 6))
    let timer = pumpTimer ?? loop.makeTimer { self.pumpAll() }
    pumpTimer = timer
    if !timer.isArmed { timer.arm(at: loop.now.advanced(by: delay)) }
  }

  /// Fails the calls that don't wait for a server to be ready, when none is going to be soon.
  func failIfHopeless() {
    guard let error = hopelessness else { return }
    for call in waiting.take(where: { !$0.options.waitsForReady }) {
      call.finish()
      call.failed(error)
    }
    closeIfServed()
  }

  // MARK: Deadlines of calls that wait

  private func watch(_ deadline: MonotonicInstant) {
    guard deadline < queueInstant else { return }
    queueInstant = deadline
    let timer = queueTimer ?? loop.makeTimer { self.expireWaiting() }
    queueTimer = timer
    timer.arm(at: deadline)
  }

  private func expireWaiting() {
    queueInstant = .distantFuture
    let now = loop.now
    for call in waiting.take(where: { $0.deadline <= now }) {
      counters.expiredInQueue.add(1)
      call.finish()
      call.failed(.expired(.queued, wasStarted: false))
    }
    if let next = waiting.earliestDeadline { watch(next) }
  }
}
