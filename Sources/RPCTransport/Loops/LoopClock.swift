import CLinux
public import RPCCore

extension MonotonicInstant {
  /// The present instant of the system's monotonic clock. On an event loop prefer
  /// ``EventLoop/now``, which is read once per pass.
  public static func current() -> MonotonicInstant {
    MonotonicInstant(nanoseconds: clinux_monotonic_ns())
  }
}
