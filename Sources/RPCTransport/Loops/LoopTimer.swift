public import RPCCore

/// A timer of one event loop: runs its work once per arming, on the loop, not before the instant it
/// was armed for. It can be armed again any number of times without an allocation.
///
/// Confined to its loop. A timer that is let go while it is armed still fires.
public final class LoopTimer {
  let loop: EventLoop
  let work: () -> Void
  var deadline = MonotonicInstant.distantFuture
  /// Its place in the loop's heap; -1 while it isn't armed.
  var heapIndex = -1

  init(loop: EventLoop, work: @escaping () -> Void) {
    self.loop = loop
    self.work = work
  }

  /// Whether it is going to fire.
  public var isArmed: Bool { heapIndex >= 0 }

  /// Makes it fire at `instant` (in the past: in the present pass or the next one), instead of when
  /// it was armed for before.
  public func arm(at instant: MonotonicInstant) {
    loop.arm(self, at: instant)
  }

  /// Keeps it from firing. Does nothing if it isn't armed.
  public func disarm() {
    loop.disarm(self)
  }
}
