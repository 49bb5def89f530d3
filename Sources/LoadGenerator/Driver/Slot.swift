import LoadReporting
import RPC
import RPCCore
import RPCTransport

/// One simulated client's place: it makes one call after the other, never two at once. Confined to
/// its lane's loop.
class Slot: @unchecked Sendable {
  let lane: LoadLane

  /// How many calls it makes at most.
  var quota = Int.max

  /// When the present call was begun.
  private(set) var begun: UInt64 = 0

  private var failuresInRow = 0
  private var pause: LoopTimer?
  private static let firstPause: UInt64 = 10_000_000
  private static let longestPause: UInt64 = 1_000_000_000

  init(_ lane: LoadLane) {
    self.lane = lane
  }

  /// Begins a call; it has to lead to one `succeed` or `fail`.
  func begin() {}

  /// Lets go of its calls: they refer to it, and it to them. A call that is still under way keeps
  /// it until it ends.
  func end() {}

  /// Begins the next call, unless the run is over.
  @inline(__always)
  final func next(now: UInt64) {
    guard quota > 0, lane.admit(now) else { return lane.retire() }
    quota &-= 1
    begun = now
    begin()
  }

  /// The call was answered as it has to be.
  @inline(__always)
  final func succeed(now: UInt64 = ProcessClock.monotonic()) {
    failuresInRow = 0
    lane.succeeded(begun: begun, now: now)
    next(now: now)
  }

  /// The answer was wrong.
  final func fail(check message: String) {
    fail(FailureTally.Kind(phase: .check, status: "OK"), message, isPaced: true)
  }

  /// The call failed.
  final func fail(_ error: RPCError) {
    // An answer took its time to come; what fails on this side would fail again at once.
    fail(error.failureKind, error.message, isPaced: error.phase == .answered)
  }

  private func fail(_ kind: FailureTally.Kind, _ message: String, isPaced: Bool) {
    let now = ProcessClock.monotonic()
    lane.failed(kind, message, now: now)
    guard !isPaced else { return next(now: now) }
    failuresInRow += 1
    let pause =
      self.pause
      ?? lane.loop.makeTimer { [weak self] in
        self?.next(now: ProcessClock.monotonic())
      }
    self.pause = pause
    let length = min(Slot.longestPause, Slot.firstPause << UInt64(min(failuresInRow - 1, 10)))
    // Not beyond the end of the run, so that it isn't kept waiting.
    let until = min(now &+ length, max(now, lane.window.closes))
    pause.arm(at: MonotonicInstant(nanoseconds: Int64(clamping: until)))
  }
}

extension RPCError {
  /// What a failed call is counted as.
  var failureKind: FailureTally.Kind {
    let phase: FailurePhase
    switch self.phase {
    case .resolving: phase = .resolve
    case .connecting: phase = .connect
    case .handshake: phase = .tls
    case .answered: phase = code == .internal && cause != nil ? .protocol : .answer
    default: phase = .call
    }
    return FailureTally.Kind(
      phase: phase, status: code.description,
      reason: GeneratorLimit(self)?.rawValue ?? info?.reason ?? "")
  }
}
