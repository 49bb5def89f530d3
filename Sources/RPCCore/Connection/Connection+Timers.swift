extension Connection {
  /// Sets when `tick` reports a live call as expired.
  public mutating func setDeadline(_ stream: StreamID, _ deadline: MonotonicInstant) {
    guard let place = streams.find(stream.rawValue),
      role == .client || !streams.places[place].flags.contains(.localClosed)
    else { return }
    streams.places[place].deadline = deadline
    earliestExpiry = min(earliestExpiry, deadline)
  }

  /// When to call `tick`; nil when nothing is to be waited for. May be earlier than needed, never
  /// later. Can change with every call.
  public var nextDeadline: MonotonicInstant? {
    guard !isClosed else { return nil }
    var next = min(earliestExpiry, keepAlive.nextDeadline(hasCalls: streams.count > 0))
    next = min(next, min(progress.deadline, min(idle.next, age.next)))
    if !peer.isReceived { next = min(next, setupDeadline) }
    if case .announced(let until, _) = drainState { next = min(next, until) }
    return next == .distantFuture ? nil : next
  }

  /// After a read: `count` bytes are left that wait for the rest of their frame, 0 for none. A peer
  /// that takes too long for it is found out by `tick`.
  public mutating func inputWaits(_ count: Int, now: MonotonicInstant) {
    progress.waiting(count, now: now)
  }

  /// Does what is due: keep-alive, idleness, age, both steps of a drain, expired calls, peers that
  /// are too slow. Call until `.none`.
  public mutating func tick(
    now: MonotonicInstant, into output: inout OutputBuffer
  ) -> TimerEvent {
    guard !isClosed else { return .none }
    if !peer.isReceived, setupDeadline <= now {
      return .violation(violate(.setupTimeout, .timeout, "no SETUP in time", into: &output))
    }
    if progress.deadline <= now { return .violation(frameTooSlow(&output)) }
    if keepAlive.isOverdue(now) {
      return .violation(violate(.keepAliveTimeout, .timeout, "no PONG in time", into: &output))
    }
    if keepAlive.isDue(now, hasCalls: streams.count > 0),
      let value = keepAlive.begin(.liveness, now: now)
    {
      output.appendPing(.ping, value)
    }
    if idle.isIdle(now, hasCalls: streams.count > 0), drainState == .none {
      isIdle = true
      drain(now: now, into: &output)
    }
    if growsTooOld(now, &output) { return .outlived }
    if case .announced(let until, _) = drainState, until <= now { finishDrain(&output) }
    guard earliestExpiry <= now else { return .none }
    return expire(now, &output)
  }

  /// Drains a connection that has its age; true when its calls have also used up the grace time.
  private mutating func growsTooOld(_ now: MonotonicInstant, _ output: inout OutputBuffer) -> Bool {
    switch age.step(now) {
    case .nothing: return false
    case .drain:
      guard drainState == .none else { return false }
      isOld = true
      drain(now: now, into: &output)
      return false
    case .close:
      close(.goingAway, "the connection's maximum age and its grace time are over", into: &output)
      return true
    }
  }

  private mutating func frameTooSlow(_ output: inout OutputBuffer) -> ProtocolViolation {
    violate(
      .frameTooSlow, .timeout,
      "a frame isn't whole after \(configuration.frameTimeout), at fewer than"
        + " \(configuration.minimumFrameRate) bytes a second", into: &output)
  }

  /// Finds a call that has expired; when there is none, finds the next one's time.
  private mutating func expire(
    _ now: MonotonicInstant, _ output: inout OutputBuffer
  ) -> TimerEvent {
    var earliest = MonotonicInstant.distantFuture
    for place in streams.places.indices where streams.places[place].id != 0 {
      if streams.places[place].deadline <= now, isReplyWaiting(place) {
        guard streams.places[place].outbound?.hasMoved() ?? true else {
          return .violation(replyNotTaken(place, &output))
        }
        streams.places[place].deadline = now.advanced(by: configuration.replyTimeout)
      }
      let deadline = streams.places[place].deadline
      guard deadline <= now else {
        earliest = min(earliest, deadline)
        continue
      }
      streams.places[place].deadline = .distantFuture
      return .expired(streams.places[place].streamID)
    }
    earliestExpiry = earliest
    return .none
  }

  /// Whether a stream's answer is given, and waits for the client's credit or for room.
  private func isReplyWaiting(_ place: Int) -> Bool {
    role == .server && streams.places[place].hasQueue
      && streams.places[place].flags.contains(.finishing)
  }

  private mutating func replyNotTaken(
    _ place: Int, _ output: inout OutputBuffer
  ) -> ProtocolViolation {
    violate(
      .replyNotTaken, .timeout,
      "nothing of the reply on stream \(streams.places[place].streamID) was taken in"
        + " \(configuration.replyTimeout), and its deadline is over", into: &output)
  }

  /// Sends a PING with this value; false when one is outstanding. The answer is `.pong(value)`.
  public mutating func ping(
    _ value: UInt64, now: MonotonicInstant, into output: inout OutputBuffer
  ) -> Bool {
    guard isStarted, !isClosed,
      let value = keepAlive.begin(.application, value: value, now: now)
    else { return false }
    output.appendPing(.ping, value)
    return true
  }
}
