import CSystemFaults
import Glibc
import RPCCore
import RPCTransport
import SystemFaults

/// Exact timers on a kernel that doesn't know epoll_pwait2, which it says once.
enum ExactTimers {
  static func run() async throws {
    let loops = try EventLoopGroup(loops: 1, timerResolution: .exact)
    await fire("the kernel knows the call", on: loops.first, failing: EINTR, isAsked: true)
    await fire("it answers ENOSYS", on: loops.first, failing: ENOSYS, isAsked: true)
    await fire("it has answered", on: loops.first, failing: ENOSYS, isAsked: false)
    await loops.shutdown()
    print("epoll_pwait2: 2 failed")
  }

  /// Waits for a timer while the call fails once, if it is made at all.
  private static func fire(
    _ name: String, on loop: EventLoop, failing error: Int32, isAsked: Bool
  ) async {
    csystem_arm(CSYSTEM_EPOLL_PWAIT2, 1, error)
    let isEarly = await withCheckedContinuation { continuation in
      loop.post {
        let due = MonotonicInstant.current().advanced(byNanoseconds: 20_300_000)
        loop.schedule(at: due) {
          continuation.resume(returning: MonotonicInstant.current() < due)
        }
      }
    }
    if isEarly { FaultRuns.fail("\(name): the timer fired before it was due") }
    guard (csystem_disarm() > 0) == isAsked else {
      FaultRuns.fail("\(name): epoll_pwait2 was \(isAsked ? "not " : "")called")
    }
  }
}
