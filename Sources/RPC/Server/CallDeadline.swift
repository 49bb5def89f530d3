/// The deadline that handlers pass on to the calls that they make.
///
/// A handler's task, and the child tasks that it makes, carry the deadline of its call. Calls made
/// from them are over by then, whatever timeout they set, unless their options say
/// `ignoresInheritedDeadline`. Detached tasks and other threads carry none.
public enum CallDeadline {
  /// The deadline of the call that the current task works for; nil: it works for none, or for one
  /// that has no deadline.
  public static var inherited: MonotonicInstant? {
    guard let deadline = local.get(), deadline != .distantFuture else { return nil }
    return deadline
  }

  @usableFromInline static let local = TaskLocal<MonotonicInstant?>(wrappedValue: nil)

  /// Runs a handler with the deadline of its call.
  @inlinable
  @inline(__always)
  static func with<Result>(
    _ deadline: MonotonicInstant, _ operation: () async throws -> Result
  ) async throws -> Result {
    try await local.withValue(deadline, operation: operation)
  }

  /// What a call with these options inherits here; far in the future: nothing.
  static func inherited(_ options: CallOptions) -> MonotonicInstant {
    options.ignoresInheritedDeadline ? .distantFuture : inherited ?? .distantFuture
  }
}
