import RPCCore

/// How soon somebody who failed may try again: the first failures are free, then each doubles the
/// wait up to a limit, and a success or a long silence wipes the slate.
///
/// A plain value with the clock as an argument. Memory is bounded: the table has two halves, and
/// when the young one is full it becomes the old one, and what was in the old one is forgotten.
/// Someone with enough addresses to push entries out has as many fresh ones to try with anyway.
struct AttemptBackoff<Key: Hashable & Sendable>: Sendable {
  /// How the wait grows.
  struct Policy: Sendable {
    /// Failures without a wait.
    var freeFailures = 5

    /// The wait after the first failure that isn't free.
    var firstWait = Duration.seconds(1)

    /// The longest wait.
    var longestWait = Duration.seconds(60)

    /// After this long without a failure the earlier ones don't count any more.
    var memory = Duration.seconds(600)

    /// The most keys that are remembered.
    var capacity = 8_192
  }

  private struct Entry: Sendable {
    var failures: Int
    var lastFailure: MonotonicInstant
    var blockedUntil: MonotonicInstant
  }

  private let policy: Policy
  private var young: [Key: Entry] = [:]
  private var old: [Key: Entry] = [:]

  init(policy: Policy = Policy()) {
    self.policy = policy
  }

  /// How many keys are remembered, never more than the policy's capacity.
  var count: Int { young.count + old.count }

  /// How long this key has to wait yet; nil: it may try.
  func wait(_ key: Key, now: MonotonicInstant) -> Duration? {
    guard let entry = young[key] ?? old[key], now < entry.blockedUntil else { return nil }
    return now.duration(to: entry.blockedUntil)
  }

  /// Notes a failure.
  mutating func failed(_ key: Key, now: MonotonicInstant) {
    let known = young[key] ?? old.removeValue(forKey: key)
    var entry = known ?? Entry(failures: 0, lastFailure: now, blockedUntil: now)
    if entry.lastFailure.duration(to: now) > policy.memory {
      entry.failures = 0
    }
    entry.failures = min(entry.failures + 1, 1_000)
    entry.lastFailure = now
    entry.blockedUntil = now.advanced(by: wait(afterFailures: entry.failures))
    if young[key] == nil, young.count >= max(1, policy.capacity / 2) {
      old = young
      young = [:]
    }
    young[key] = entry
  }

  /// Forgets a key's failures.
  mutating func succeeded(_ key: Key) {
    young[key] = nil
    old[key] = nil
  }

  private func wait(afterFailures failures: Int) -> Duration {
    let counted = failures - policy.freeFailures
    guard counted > 0 else { return .zero }
    let first = policy.firstWait.saturatedNanoseconds
    let longest = policy.longestWait.saturatedNanoseconds
    let doublings = min(counted - 1, 40)
    let (wait, overflow) = first.multipliedReportingOverflow(by: Int64(1) << Int64(doublings))
    return .nanoseconds(overflow ? longest : min(wait, longest))
  }
}
