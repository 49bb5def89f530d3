import RPCCore
import RPCTransport

/// What a run waits for: instants, lanes that have ended, somebody who stops it.
final class RunEvents: Sendable {
  enum Event: Sendable {
    /// A second is over.
    case tick

    /// The measured window begins.
    case opens

    /// The measured window is over.
    case closes

    /// What hasn't been answered by now isn't waited for any longer.
    case tooLate

    case laneEnded
    case stopped
  }

  let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func send(_ event: Event) {
    continuation.yield(event)
  }

  /// Sends an event at an instant of the monotonic clock.
  func send(_ event: Event, at nanoseconds: UInt64, on loop: EventLoop) {
    guard nanoseconds < UInt64(Int64.max) else { return }
    loop.post {
      loop.schedule(at: MonotonicInstant(nanoseconds: Int64(nanoseconds))) { self.send(event) }
    }
  }

  /// Sends a tick each second from `start` on, until the loop ends or nobody listens.
  func sendTicks(from start: UInt64, on loop: EventLoop) {
    loop.post { self.tick(at: start + 1_000_000_000, on: loop) }
  }

  private func tick(at nanoseconds: UInt64, on loop: EventLoop) {
    loop.schedule(at: MonotonicInstant(nanoseconds: Int64(nanoseconds))) { [weak self] in
      guard let self else { return }
      if case .terminated = continuation.yield(.tick) { return }
      tick(at: nanoseconds + 1_000_000_000, on: loop)
    }
  }

  func finish() {
    continuation.finish()
  }
}

/// Stops a run from outside; from any thread, and before it has begun too.
public final class RunControl: Sendable {
  let events = RunEvents()

  /// What is heard of the run beside its report; nil: nobody listens.
  let tap: RunTap?

  /// A control for one run.
  public init() {
    tap = nil
  }

  init(tap: RunTap) {
    self.tap = tap
  }

  /// Ends the run: no call is begun any more, those under way have a second, and the report says
  /// that it is a partial one.
  public func stop() {
    events.send(.stopped)
  }
}
