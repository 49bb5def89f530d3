import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

/// The login service.
struct LoginHandlers: LoginService {
  let gate: AppGate
  let sessions: Sessions
  let profiles: ProfileCache
  let store: any Store
  let catalogue: CatalogueHolder
  let clock: ServiceClock
  let phones: PhoneLogins
  let storeLogins: StoreLogins

  func createSession(
    _ request: CreateSessionRequest, context: ServerContext
  ) async throws -> CreateSessionResponse {
    let app: RegisteredApp
    if let admitted = context.principal as? RegisteredApp {
      // The immediate handler checked the app's key already.
      app = admitted
    } else {
      app = try gate.admit(request.appID, context)
    }
    let hint = try CountryHint.parse(request.countryHint)
    switch request.credential {
    case .phone(let credential)?:
      return try await createSession(credential, app: app, hint: hint, context)
    case .store(let credential)?:
      return try await createSession(credential, app: app, hint: hint, context)
    case .externalUserID?, nil:
      return try await createSession(of: Self.user(request), app: app, hint: hint, context)
    }
  }

  private func createSession(
    of user: String, app: RegisteredApp, hint: CountryCode?, _ context: ServerContext
  ) async throws(RPCError) -> CreateSessionResponse {
    let now = clock.wall()
    let proposed = ProfileRecord(
      id: .timeOrdered(at: now), kind: .external, appID: app.id, externalUserID: user,
      storefront: SalesPlace.storefront(catalogue.snapshot, app: app, hint: hint),
      createdAt: now)
    let creation = try await stored { () async throws(StoreError) in
      try await store.findOrCreateProfile(proposed, options: context.storeOptions)
    }
    // Only what is durable is remembered.
    remember(creation.profile, app: app.tag)
    return try respond(creation, app: app, context)
  }

  /// Keeps an external profile of an app in memory.
  func remember(_ profile: ProfileRecord, app: AppTag) {
    guard let user = profile.externalUserID else { return }
    profiles.insert(ProfileSummary(profile), app: app, externalUserID: user)
    // Set while the store was asked: whoever set it may have been here before.
    if let storefront = sessions.moved.find(profile.id), storefront != profile.storefront {
      let moved = ProfileSummary(id: profile.id, kind: profile.kind, storefront: storefront)
      profiles.insert(moved, app: app, externalUserID: user)
    }
  }

  /// Begins a session of a profile that was made or found.
  func respond(
    _ creation: ProfileCreation, app: RegisteredApp, _ context: ServerContext
  ) throws(RPCError) -> CreateSessionResponse {
    let profile = creation.profile
    let opened = try sessions.begin(profile, app: app, loop: context.ownLoop)
    return CreateSessionResponse(
      sessionToken: opened.token, profileID: profile.id.description, created: creation.created,
      expiresAtMs: opened.expiresAt.milliseconds,
      storefrontCountry: profile.storefront.country.alpha2)
  }

  /// The external user identifier of a request, checked. It is sent and refused here even when it
  /// is empty, so that the client library can fall back.
  private static func user(_ request: CreateSessionRequest) throws(RPCError) -> String {
    guard case .externalUserID(let user)? = request.credential, !user.isEmpty else {
      throw RPCError(
        .externalUserIDEmpty,
        "the external user identifier is empty; send the app's own identifier of its user, or "
          + "let the user log in otherwise", ["field": "external_user_id"])
    }
    do throws(InvalidIdentifier) {
      try IdentifierRule.externalUserID.validate(user)
    } catch {
      throw RPCError(.externalUserIDInvalid, error, .externalUserID)
    }
    return user
  }

  func getProfile(
    _ request: GetProfileRequest, context: ServerContext
  ) async throws -> GetProfileResponse {
    let session = try context.session
    let found = try await stored { () async throws(StoreError) in
      try await store.findProfile(session.profileID, options: context.storeOptions)
    }
    guard let profile = found, (profile.appID ?? session.appID) == session.appID else {
      throw RPCError(
        .sessionInvalid, "the session's profile isn't there any more; log in again")
    }
    let place = SalesPlace(
      catalogue.snapshot, appID: session.appID, storefront: profile.storefront)
    return GetProfileResponse(
      profile: profile.message(inApp: session.appID, at: place.storefront))
  }

  func endSession(
    _ request: EndSessionRequest, context: ServerContext
  ) async throws -> EndSessionResponse {
    if context.principal is EndedSession { return EndSessionResponse() }
    try await sessions.end(context.session, options: context.storeOptions)
    return EndSessionResponse()
  }
}

extension ProfileRecord {
  /// The profile as calls answer it to a session in an app, in a storefront as the app's catalogue
  /// names it. The numbers of the domain's kinds are those of the message's.
  func message(
    inApp appID: String, at storefront: OnsideDomain.Storefront
  ) -> OnsideProto.Profile {
    OnsideProto.Profile(
      profileID: id.description, kind: OnsideProto.ProfileKind(rawValue: Int32(kind.rawValue)),
      appID: appID, externalUserID: externalUserID ?? "",
      storefront: storefront.message, createdAtMs: createdAt.milliseconds,
      phoneNumberHint: phoneNumber?.hint ?? "")
  }
}
