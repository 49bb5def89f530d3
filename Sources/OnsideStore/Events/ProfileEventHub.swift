import Synchronization

/// Wakes those who wait for a profile's events. It carries no events: whoever is woken reads them
/// from the store, so that a slow one holds up nobody and nothing piles up for it.
public final class ProfileEventHub: Sendable {
  /// Names a watcher.
  public struct Subscription: Hashable, Sendable {
    let profileID: ProfileID
    let number: UInt64
  }

  private struct State {
    var watchers: [ProfileID: [UInt64: @Sendable () -> Void]] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  /// How many watchers there are: while there are none, a purchase pays one load.
  private let total = Atomic<Int>(0)

  public init() {}

  /// How many watchers there are.
  public var count: Int { total.load(ordering: .sequentiallyConsistent) }

  /// From now on runs `wake` after each new event of a profile: soon after it is durable, on any
  /// thread. It must not block.
  ///
  /// Whoever subscribes first and reads then misses nothing.
  public func subscribe(
    to profileID: ProfileID, _ wake: @escaping @Sendable () -> Void
  ) -> Subscription {
    total.add(1, ordering: .sequentiallyConsistent)
    return state.withLock { state in
      state.lastNumber += 1
      state.watchers[profileID, default: [:]][state.lastNumber] = wake
      return Subscription(profileID: profileID, number: state.lastNumber)
    }
  }

  /// Ends a subscription; nothing happens the second time.
  public func cancel(_ subscription: Subscription) {
    let removed = state.withLock { state in
      let id = subscription.profileID
      let found = state.watchers[id]?.removeValue(forKey: subscription.number)
      if state.watchers[id]?.isEmpty == true { state.watchers[id] = nil }
      return found
    }
    if removed != nil { total.subtract(1, ordering: .sequentiallyConsistent) }
  }

  /// Tells a profile's watchers that there may be events. By the store, after the commit.
  func announce(_ profileID: ProfileID) {
    guard count > 0 else { return }
    let watchers = state.withLock { $0.watchers[profileID].map { Array($0.values) } ?? [] }
    for wake in watchers { wake() }
  }
}

extension ProfileEventHub {
  /// The completion that tells a profile's watchers first, if `changes` says that the answer may
  /// mean an event.
  func telling<Value>(
    _ profileID: ProfileID, _ completion: @escaping StoreCompletion<Value>,
    if changes: @escaping @Sendable (Value) -> Bool
  ) -> StoreCompletion<Value> {
    { result in
      if case .success(let value) = result, changes(value) { self.announce(profileID) }
      completion(result)
    }
  }
}
