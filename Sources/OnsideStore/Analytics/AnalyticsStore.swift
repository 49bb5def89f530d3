import OnsideDomain

/// Where installations came from, and what their users did.
public protocol AnalyticsStore: Sendable {
  /// Sets where an installation came from, whatever was known before.
  func setAttribution(
    _ attribution: AttributionRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<Void>)

  /// Where an installation came from; nil: nobody has said it.
  func findAttribution(
    appID: String, installationID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<AttributionRecord?>)

  /// Stores events of one app, but for those that it has with the same installation and identifier;
  /// answers how many were new. All are stored or none.
  ///
  /// - Parameter limit: How many events of the app are kept: beyond it the oldest make room.
  func addTrackedEvents(
    _ events: [TrackedEventRecord], appID: String, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>)

  /// The events of an app, the last taken first, up to `limit`.
  func trackedEvents(
    appID: String, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[TrackedEventRecord]>)

  /// Forgets up to `limit` events that were taken before `time`; answers how many. See
  /// `trackedEventRetention`.
  func purgeTrackedEvents(
    receivedBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>)
}

extension Store {
  /// Sets where an installation came from.
  public func setAttribution(
    _ attribution: AttributionRecord, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) {
    try await answer { setAttribution(attribution, options: options, completion: $0) }
  }

  /// Where an installation came from.
  public func findAttribution(
    appID: String, installationID: String, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> AttributionRecord? {
    try await answer {
      findAttribution(
        appID: appID, installationID: installationID, options: options, completion: $0)
    }
  }

  /// Stores events that the app hasn't yet.
  public func addTrackedEvents(
    _ events: [TrackedEventRecord], appID: String, limit: Int,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Int {
    try await answer {
      addTrackedEvents(events, appID: appID, limit: limit, options: options, completion: $0)
    }
  }

  /// The events of an app, the last taken first.
  public func trackedEvents(
    appID: String, limit: Int, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [TrackedEventRecord] {
    try await answer {
      trackedEvents(appID: appID, limit: limit, options: options, completion: $0)
    }
  }

  /// Forgets events that were taken before `time`.
  public func purgeTrackedEvents(
    receivedBefore time: Timestamp, limit: Int = 1_000, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Int {
    try await answer {
      purgeTrackedEvents(receivedBefore: time, limit: limit, options: options, completion: $0)
    }
  }
}
