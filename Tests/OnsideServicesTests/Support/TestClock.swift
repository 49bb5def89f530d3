import OnsideDomain
import OnsideServices
import RPC
import RPCCore
import Synchronization

/// Clocks that stand still until a test moves them.
final class TestClock: Sendable {
  private let state = Mutex((wall: Int64(1_800_000_000_000), nanoseconds: Int64(1_000_000_000)))

  /// Moves both clocks.
  func advance(by duration: Duration) {
    state.withLock { state in
      state.wall += duration.saturatedNanoseconds / 1_000_000
      state.nanoseconds += duration.saturatedNanoseconds
    }
  }

  var now: Timestamp { Timestamp(milliseconds: state.withLock { $0.wall }) }

  /// The clocks as services take them.
  var clock: ServiceClock {
    ServiceClock(
      wall: { self.now },
      monotonic: { MonotonicInstant(nanoseconds: self.state.withLock { $0.nanoseconds }) })
  }
}
