import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension SandboxHandlers {
  /// The longest referrer URL, in bytes.
  static let maximumReferrerBytes = 2_048

  private static let defaultEventCount: Int32 = 100
  private static let maximumEventCount: Int32 = 500

  func setAttribution(
    _ request: SetAttributionRequest, context: ServerContext
  ) async throws -> SetAttributionResponse {
    let app = try registered(request.appID)
    guard InstallationIdentifier.isValid(request.installationID) else {
      throw RPCError(.invalidArgument, InstallationIdentifier.problem(request.installationID))
    }
    guard request.referrerURL.utf8.count <= Self.maximumReferrerBytes else {
      throw RPCError(
        .invalidArgument,
        "referrer_url has \(request.referrerURL.utf8.count) bytes; send at most "
          + "\(Self.maximumReferrerBytes)")
    }
    let attribution = AttributionRecord(
      appID: app.id, installationID: request.installationID, referrerURL: request.referrerURL)
    try await stored { () async throws(StoreError) in
      try await store.setAttribution(attribution, options: context.storeOptions)
    }
    return SetAttributionResponse()
  }

  func listEvents(
    _ request: ListEventsRequest, context: ServerContext
  ) async throws -> ListEventsResponse {
    let app = try registered(request.appID)
    let limit = request.limit == 0 ? Self.defaultEventCount : request.limit
    guard (1...Self.maximumEventCount).contains(limit) else {
      throw RPCError(
        .invalidArgument,
        "limit is \(limit); send 1 to \(Self.maximumEventCount), or 0 for "
          + "\(Self.defaultEventCount)")
    }
    let events = try await stored { () async throws(StoreError) in
      try await store.trackedEvents(
        appID: app.id, limit: Int(limit), options: context.storeOptions)
    }
    return ListEventsResponse(
      events: events.map { event in
        TrackedEvent(
          installationID: event.installationID, eventID: event.eventID, name: event.name,
          parametersJson: event.parameters, occurredAtMs: event.occurredAt.milliseconds)
      })
  }

  /// A registered app. Administrators come without its key.
  func registered(_ appID: String) throws(RPCError) -> RegisteredApp {
    if let app = gate.apps.find(appID) { return app }
    throw RPCError(
      .appNotRegistered, "no app \(Escaping.quoted(appID)) is registered with this service",
      ["app_id": String(appID.prefix(255))])
  }
}
