import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

/// The analytics service: where installations came from, and what their users do.
///
/// A call with a session acts for the session's app; any other comes with the key of the app that
/// it names, if that has one.
struct AnalyticsHandlers: AnalyticsService {
  let gate: AppGate
  let store: any Store
  let clock: ServiceClock

  /// How many events of an app are kept.
  let eventLimit: Int

  func getAttribution(
    _ request: GetAttributionRequest, context: ServerContext
  ) async throws -> GetAttributionResponse {
    let app = try admit(request.appID, context)
    guard InstallationIdentifier.isValid(request.installationID) else {
      throw RPCError(.invalidArgument, InstallationIdentifier.problem(request.installationID))
    }
    let found = try await stored { () async throws(StoreError) in
      try await store.findAttribution(
        appID: app.id, installationID: request.installationID, options: context.storeOptions)
    }
    return GetAttributionResponse(referrerURL: found?.referrerURL ?? "")
  }

  func trackEvents(
    _ request: TrackEventsRequest, context: ServerContext
  ) async throws -> TrackEventsResponse {
    let app = try admit(request.appID, context)
    let rules = EventRules(now: clock.wall())
    let events = try rules.records(of: request, app: app.id)
    let added = try await stored { () async throws(StoreError) in
      try await store.addTrackedEvents(
        events, appID: app.id, limit: eventLimit, options: context.storeOptions)
    }
    return TrackEventsResponse(accepted: Int32(clamping: added))
  }

  private func admit(_ appID: String, _ context: ServerContext) throws(RPCError) -> RegisteredApp {
    if let session = context.principal as? Session, session.appID == appID { return session.app }
    return try gate.admit(appID, context)
  }
}
