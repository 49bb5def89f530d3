import Synchronization

/// An interceptor that is switched on and off while the server runs: for what should cost nothing
/// until somebody wants it.
///
/// While it is off, methods answer as if it weren't there, with their immediate handlers too. While
/// it is on, it is the outermost interceptor of every method, and none of their calls passes it by.
/// A call that has begun before the switch goes on as it began.
///
/// ```swift
/// let faults = SwitchedInterceptor(FaultInjector())
/// registry.intercept(by: faults)
/// …
/// faults.isOn = true
/// ```
public final class SwitchedInterceptor: Sendable {
  /// What it runs around the handlers.
  public let interceptor: any ServerInterceptor

  private let state = Atomic<Bool>(false)

  /// Makes one that is off.
  public init(_ interceptor: any ServerInterceptor) {
    self.interceptor = interceptor
  }

  /// Whether it runs, for calls that begin from now on. Any thread may write it; nothing else is
  /// ordered by it.
  public var isOn: Bool {
    get { state.load(ordering: .relaxed) }
    set { state.store(newValue, ordering: .relaxed) }
  }
}
