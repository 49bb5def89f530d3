import RPCCore

// A call's way, step by step, as an invoker takes it. The steps are here and not where they are
// taken: properties of another module's class are checked for overlapping accesses each time, which
// adds up to a twentieth of a small call.

extension OutgoingCall {
  /// Sets when the caller stops waiting.
  ///
  /// - Parameters:
  ///   - fallback: the timeout of a call that has none of its own, in nanoseconds; the largest
  ///     number is none.
  ///   - now: asked if the call has a deadline.
  package final func setDeadline(fallback: Int64, now: () -> MonotonicInstant) {
    let timeout = options.timeout?.saturatedNanoseconds ?? fallback
    guard timeout < .max || inheritedDeadline < .distantFuture else {
      return deadline = .distantFuture
    }
    let now = now()
    let wanted = min(now.advanced(byNanoseconds: timeout), inheritedDeadline)
    // The loop may be in a pass that began before `now`: what has expired for the caller has for
    // any loop.
    deadline = wanted > now ? wanted : MonotonicInstant(nanoseconds: .min)
  }

  /// The call is about to be written.
  ///
  /// - Parameter position: where the output stands, in bytes since the connection began.
  /// - Returns: false when the caller waits no more.
  package final func writes(at position: UInt64, now: MonotonicInstant) -> Bool {
    outputPosition = position
    return deadline > now
  }

  /// The call is on a connection.
  package final func opened(on stream: UInt32, at now: MonotonicInstant) {
    self.stream = stream
    attempts += 1
    openedAt = now
  }

  /// Something of the answer came, and not yet the end of it.
  package final func noteFirstByte(at now: MonotonicInstant) {
    if firstByteAt == nil { firstByteAt = now }
  }

  /// When the call was opened, and when the first of its answer came; nil: with the end of it.
  package final var times: (opened: MonotonicInstant, firstByte: MonotonicInstant?) {
    (openedAt, firstByteAt)
  }

  /// Takes the response that came before the call's end.
  package final func takeHeldResponse() -> HeldResponse? {
    guard let held = heldResponse else { return nil }
    heldResponse = nil
    return held
  }
}
