import OnsideDomain

extension MemoryStore {
  /// Where installations came from, and what their users did.
  struct Analytics {
    var attributions: [InstallationKey: AttributionRecord] = [:]
    var events: [ByteKey: TrackedEventLog] = [:]
  }

  struct InstallationKey: Hashable {
    let app: ByteKey
    let installation: ByteKey

    init(_ appID: String, _ installationID: String) {
      app = ByteKey(appID)
      installation = ByteKey(installationID)
    }
  }

  public func setAttribution(
    _ attribution: AttributionRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<Void>
  ) {
    write(options, completion) { state in
      let key = InstallationKey(attribution.appID, attribution.installationID)
      state.analytics.attributions[key] = attribution
    }
  }

  public func findAttribution(
    appID: String, installationID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<AttributionRecord?>
  ) {
    perform(options, completion) { state in
      state.analytics.attributions[InstallationKey(appID, installationID)]
    }
  }

  public func addTrackedEvents(
    _ events: [TrackedEventRecord], appID: String, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { state in
      state.analytics.events[ByteKey(appID), default: TrackedEventLog()]
        .add(events, limit: limit)
    }
  }

  public func trackedEvents(
    appID: String, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[TrackedEventRecord]>
  ) {
    perform(options, completion) { state in
      state.analytics.events[ByteKey(appID)]?.last(limit) ?? []
    }
  }

  public func purgeTrackedEvents(
    receivedBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { state in
      var purged = 0
      for app in state.analytics.events.keys where purged < limit {
        purged +=
          state.analytics.events[app]?.purge(receivedBefore: time, limit: limit - purged) ?? 0
      }
      return purged
    }
  }
}
