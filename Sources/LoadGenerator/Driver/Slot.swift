import LoadReporting
import RPC
import RPCCore
import RPCTransport

/// What one simulated client does in one scenario: a call, then the next, never two at once.
/// Confined to its lane's loop.
class Slot: @unchecked Sendable {
  let lane: LoadLane

  /// How many calls it makes at most.
  @exclusivity(unchecked) var quota = Int.max

  /// When the present call was begun.
  @exclusivity(unchecked) private(set) var begun: UInt64 = 0

  /// When the present call was to begin; in a closed loop, when it did.
  @exclusivity(unchecked) private(set) var planned: UInt64 = 0

  /// The client that it is a part of. Its memory is left alone where the slot is all that there is
  /// of it: it would have to be fetched for each call.
  @exclusivity(unchecked) private(set) var holder: Place?

  /// Whether the client has no other slots.
  @exclusivity(unchecked) private(set) var isAlone = false

  /// Calls in a row that failed on this side.
  @exclusivity(unchecked) private(set) var failuresInRow = 0

  init(_ lane: LoadLane) {
    self.lane = lane
  }

  /// Makes it a part of a client, or of none.
  final func belong(to place: Place?) {
    holder = place
    isAlone = place?.slots.count == 1
  }

  /// Does what has to be there before the load begins. On the loop.
  ///
  /// - Throws: Why the load can't begin.
  func prepare() async throws(SetupError) {}

  /// Begins a call; it has to lead to one `succeed` or `fail`.
  func begin() {}

  /// Lets go of its calls: they refer to it, and it to them. A call that is still under way keeps
  /// it until it ends.
  func end() {}

  /// Begins a call now that was planned for then.
  @inline(__always)
  final func begin(planned: UInt64, now: UInt64) {
    quota &-= 1
    self.planned = planned
    begun = now
    begin()
  }

  /// The call was answered as it has to be.
  @inline(__always)
  final func succeed(now: UInt64 = ProcessClock.monotonic()) {
    lane.succeeded(planned: planned, begun: begun, now: now)
    guard holder != nil else { return }
    failuresInRow = 0
    lane.driver?.ended(self, now: now)
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

  /// A part of the present call took so long.
  final func stepped(_ step: Int, took latency: UInt64, now: UInt64) {
    lane.stepped(step, took: latency, begun: planned, now: now)
  }

  final func fail(
    _ kind: FailureTally.Kind, _ message: String, isPaced: Bool,
    now: UInt64 = ProcessClock.monotonic()
  ) {
    lane.failed(kind, message, planned: planned, now: now)
    guard holder != nil else { return }
    if !isPaced { failuresInRow += 1 }
    lane.driver?.ended(self, now: now, afterLocalFailure: !isPaced)
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
