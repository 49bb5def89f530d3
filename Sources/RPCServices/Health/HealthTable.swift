import RPCProto

/// How each service is, and who wants to know of changes.
struct HealthTable: Sendable {
  typealias Continuation = AsyncStream<RPCServingStatus>.Continuation

  private struct Watcher {
    let service: String
    let continuation: Continuation
  }

  private(set) var statuses: [String: RPCServingStatus]
  private var isDraining = false
  private var watchers: [UInt64: Watcher] = [:]
  private var nextWatcher: UInt64 = 0

  init(services: [String]) {
    statuses = Dictionary(services.map { ($0, .serving) }) { first, _ in first }
  }

  /// Tells the watchers of a service when that is a change.
  mutating func set(_ status: RPCServingStatus, for service: String) {
    guard !isDraining, statuses.updateValue(status, forKey: service) != status else { return }
    for watcher in watchers.values where watcher.service == service {
      watcher.continuation.yield(status)
    }
  }

  /// Nothing serves any more, for good.
  ///
  /// - Returns: The watchers, which have to be finished, where no lock is held.
  mutating func drain() -> [Continuation] {
    isDraining = true
    statuses = statuses.mapValues { _ in .notServing }
    let ended = watchers.values.map(\.continuation)
    watchers = [:]
    for continuation in ended { continuation.yield(.notServing) }
    return ended
  }

  /// Tells the state now, and each that follows.
  ///
  /// - Returns: The watcher's number; nil: nothing follows, and the watcher has to be finished.
  mutating func watch(_ service: String, _ continuation: Continuation) -> UInt64? {
    continuation.yield(statuses[service] ?? (isDraining ? .notServing : .serviceUnknown))
    guard !isDraining else { return nil }
    nextWatcher += 1
    watchers[nextWatcher] = Watcher(service: service, continuation: continuation)
    return nextWatcher
  }

  /// Forgets a watcher.
  mutating func unwatch(_ number: UInt64) {
    watchers[number] = nil
  }

  /// How many watch now.
  var watcherCount: Int { watchers.count }
}
