/// Bounds how many tests have servers at the same time.
///
/// Each event loop takes a thread of Dispatch, which has 255 for a process. Were all tests under
/// way at once, they would wait for each other's loops, some for ever.
enum ServerPermits {
  private struct State {
    var left = 16
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let state = Locked(State())
  @TaskLocal private static var isHeld = false

  /// Runs a test's part with a permit, which its nested parts share.
  static func with<Result>(_ body: () async throws -> Result) async throws -> Result {
    if isHeld { return try await body() }
    await acquire()
    defer { release() }
    return try await $isHeld.withValue(true) { try await body() }
  }

  private static func acquire() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.left == 0 else {
          state.left -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private static func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.left += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
