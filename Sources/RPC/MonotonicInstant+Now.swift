import Glibc
import RPCCore

extension MonotonicInstant {
  /// The clock that deadlines are measured with, now: CLOCK_MONOTONIC, which event loops use too.
  public static var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
