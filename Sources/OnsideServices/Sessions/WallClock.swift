import Glibc
import OnsideDomain

/// The system's clock of the time of day. Only expiries are taken from it; it may jump.
public enum WallClock {
  /// Now.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
