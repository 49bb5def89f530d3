import OnsideDomain
import Synchronization

/// A store that forgets everything when the process ends: for tests, demonstrations and loads that
/// aren't about the disk. It behaves like the one on disk otherwise.
public final class MemoryStore: Store {
  struct State {
    var profiles: [ProfileID: ProfileRecord] = [:]
    var profileIDs: [UserKey: ProfileID] = [:]
    var phoneProfileIDs: [PhoneNumber: ProfileID] = [:]
    var storefrontTimes: [ProfileID: Timestamp] = [:]
    var revocations = RevocationLog()
    var tokenKeys: [UInt32: TokenKeyRecord] = [:]
    var purchases = PurchaseTable()
    var cards: [ProfileID: [CardRecord]] = [:]
    var signingKeys: [SigningKeyRecord] = []
    var analytics = Analytics()
    var counters = StoreCounters()
    var isClosed = false
  }

  struct UserKey: Hashable {
    let app: ByteKey
    let user: ByteKey
  }

  /// What several stores may share.
  private final class Contents: Sendable {
    let state = Mutex(State())
  }

  private let contents: Contents
  public let isShared: Bool
  public let eventHub = ProfileEventHub()

  public init() {
    contents = Contents()
    isShared = false
  }

  /// Another server's view of a store, for tests of servers that share one: neither is told of what
  /// the other writes.
  package init(sharing other: MemoryStore) {
    contents = other.contents
    isShared = true
  }

  public var facts: StoreFacts {
    StoreFacts(kind: "memory", durability: "memory: nothing is kept")
  }

  public var counters: StoreCounters { contents.state.withLock { $0.counters } }

  public var failure: StoreError? { nil }

  public func close(completion: @escaping @Sendable () -> Void) {
    contents.state.withLock { $0.isClosed = true }
    completion()
  }

  /// Runs `body` on the state and delivers its answer. A write counts as a commit if it changed
  /// something.
  func perform<Value: Sendable>(
    _ options: RequestOptions, _ completion: @escaping StoreCompletion<Value>,
    _ body: (inout State) throws(StoreError) -> Value
  ) {
    let result = contents.state.withLock { state -> Result<Value, StoreError> in
      guard !state.isClosed else { return .failure(.storeClosed) }
      if let deadline = options.deadline, deadline <= MonotonicClock.now {
        state.counters.expiredRequests += 1
        return .failure(.deadlinePassed)
      }
      do throws(StoreError) {
        return .success(try body(&state))
      } catch {
        state.counters.failedRequests += 1
        return .failure(error)
      }
    }
    guard let target = options.target else { return completion(result) }
    target.post { completion(result) }
  }

  /// Like `perform`, for what changes the store.
  func write<Value: Sendable>(
    _ options: RequestOptions, _ completion: @escaping StoreCompletion<Value>,
    _ body: (inout State) throws(StoreError) -> Value
  ) {
    perform(options, completion) { (state) throws(StoreError) -> Value in
      let value = try body(&state)
      state.counters.commits += 1
      state.counters.countBatch(of: 1)
      return value
    }
  }
}
