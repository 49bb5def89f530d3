import Glibc

/// Threads of their own for the handlers of methods that `MethodRegistry.offload` names.
public struct OffloadConfiguration: Sendable, Equatable {
  /// How many handlers may compute at the same time; at least 1. The default is the number of
  /// processors, at least 2.
  public var threads = max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// How many calls may wait for a thread; a further one gets RESOURCE_EXHAUSTED.
  public var queueLimit = 1000

  /// The defaults.
  public init() {}
}
