import Glibc

/// Reads of clocks, in nanoseconds.
public enum ProcessClock {
  /// Never steps back; the origin means nothing.
  @inline(__always)
  public static func monotonic() -> UInt64 {
    read(CLOCK_MONOTONIC) ?? 0
  }

  /// What all threads of this process have used of the CPU so far, in user and kernel mode.
  public static func ownCPU() -> UInt64 {
    read(CLOCK_PROCESS_CPUTIME_ID) ?? 0
  }

  /// What the calling thread has used of the CPU so far.
  public static func ownThreadCPU() -> UInt64 {
    read(CLOCK_THREAD_CPUTIME_ID) ?? 0
  }

  /// The same of another process; nil if there is no such process.
  public static func cpu(ofProcess pid: Int32) -> UInt64? {
    var clock: clockid_t = 0
    // Larger ids than the kernel's highest would be cut to those of other processes.
    guard (1...highestProcess).contains(pid), clock_getcpuclockid(pid, &clock) == 0 else {
      return nil
    }
    return read(clock)
  }

  /// Milliseconds since 1970 UTC.
  public static func wallMilliseconds() -> Int64 {
    Int64((read(CLOCK_REALTIME) ?? 0) / 1_000_000)
  }

  /// `PID_MAX_LIMIT` of Linux.
  private static let highestProcess: Int32 = 1 << 22

  @inline(__always)
  private static func read(_ clock: clockid_t) -> UInt64? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
