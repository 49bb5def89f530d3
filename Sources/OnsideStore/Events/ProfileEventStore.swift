import OnsideDomain

/// What happened to profiles, kept so that watchers miss nothing.
///
/// The store writes an event together with what it tells of: a transaction that begins, gets an
/// outcome or is finished, and a storefront that is set.
public protocol ProfileEventStore: Sendable {
  /// Tells this process's watchers of new events, after they are durable.
  var eventHub: ProfileEventHub { get }

  /// Whether other processes write to the same store: their events aren't told by the hub.
  var isShared: Bool { get }

  /// The events of a profile behind a place, oldest first.
  ///
  /// - Parameters:
  ///   - position: Of an earlier page; nil: the place behind the last event, with an empty page.
  ///   - limit: How many at most; taken as 1 to 500.
  func profileEvents(
    of profileID: ProfileID, after position: Int64?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileEventReading>)

  /// Forgets up to `limit` events from before `time`, of all profiles; answers how many. See
  /// `profileEventRetention`.
  func purgeProfileEvents(
    before time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>)
}

/// How long a profile's events are kept, in milliseconds: 30 days.
public let profileEventRetention: Int64 = 30 * 24 * 60 * 60 * 1_000

extension ProfileEventStore {
  /// No other process: SQLite files are locked, and memory is the process's own.
  public var isShared: Bool { false }
}

extension Store {
  /// The events of a profile behind a place, oldest first.
  public func profileEvents(
    of profileID: ProfileID, after position: Int64?, limit: Int = 100,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> ProfileEventReading {
    try await answer {
      profileEvents(
        of: profileID, after: position, limit: limit, options: options, completion: $0)
    }
  }

  /// Forgets events from before `time`.
  public func purgeProfileEvents(
    before time: Timestamp, limit: Int = 1_000, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Int {
    try await answer {
      purgeProfileEvents(before: time, limit: limit, options: options, completion: $0)
    }
  }
}
