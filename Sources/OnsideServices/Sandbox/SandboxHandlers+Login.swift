import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

// Playing the phone network, the store app, and the authority that says where a profile belongs.

extension SandboxHandlers {
  func listPhoneCodes(
    _ request: ListPhoneCodesRequest, context: ServerContext
  ) async throws -> ListPhoneCodesResponse {
    let number = try PhoneNumber(checking: request.phoneNumber, field: "phone_number")
    guard let messages = login.phones.usableMessages(to: number) else {
      throw RPCError(
        .sandboxNotFound,
        "codes are sent by a gateway that isn't the sandbox's, and aren't kept here")
    }
    return ListPhoneCodesResponse(
      codes: messages.map { message in
        OnsideProto.PhoneCode(
          appID: message.appID, code: message.code, sentAtMs: message.sentAt.milliseconds,
          expiresAtMs: message.expiresAt.milliseconds, challengeID: message.challengeID)
      })
  }

  func listStoreLogins(
    _ request: ListStoreLoginsRequest, context: ServerContext
  ) async throws -> ListStoreLoginsResponse {
    ListStoreLoginsResponse(
      logins: login.storeLogins.waiting(appID: request.appID.isEmpty ? nil : request.appID))
  }

  func decideStoreLogin(
    _ request: DecideStoreLoginRequest, context: ServerContext
  ) async throws -> DecideStoreLoginResponse {
    let number =
      try request.phoneNumber.isEmpty
      ? nil : PhoneNumber(checking: request.phoneNumber, field: "phone_number")
    guard let url = login.storeLogins.decide(request.loginID, as: number) else {
      throw RPCError(
        .sandboxNotFound,
        "no login \(Escaping.quoted(request.loginID)) waits for a decision; ListStoreLogins "
          + "answers which do", ["login_id": String(request.loginID.prefix(64))])
    }
    return DecideStoreLoginResponse(callbackURL: url)
  }

  func setStorefront(
    _ request: SetStorefrontRequest, context: ServerContext
  ) async throws -> SetStorefrontResponse {
    guard let country = CountryCode(alpha2: request.countryCode) else {
      throw RPCError(
        .countryInvalid,
        "country_code \(Escaping.quoted(request.countryCode)) isn't an ISO 3166-1 alpha-2 code in "
          + "upper case such as \"DE\"", ["field": "country_code"])
    }
    let options = context.storeOptions
    let name = request.profile?.name
    let found = try await stored { () async throws(StoreError) in
      try await profile(named: name, options)
    }
    guard let profile = found else { throw Self.noProfile }
    let storefront = storefront(in: country, for: profile)
    if profile.storefront != storefront { try await move(profile, to: storefront, options) }
    return SetStorefrontResponse(storefront: storefront.message)
  }

  private func move(
    _ profile: ProfileRecord, to storefront: OnsideDomain.Storefront, _ options: RequestOptions
  ) async throws(RPCError) {
    let now = clock.wall()
    let moved = try await stored { () async throws(StoreError) in
      try await store.setStorefront(storefront, of: profile.id, at: now, options: options)
    }
    guard let moved else { throw Self.noProfile }
    login.sessions.move(moved.id, to: storefront, at: now)
    if let app = moved.appID { login.remember(moved, app: AppTag(appID: app)) }
  }

  /// The profile of a name; nil: there is none.
  private func profile(
    named name: ProfileName.Name?, _ options: RequestOptions
  ) async throws(StoreError) -> ProfileRecord? {
    switch name {
    case .profileID(let text)?:
      guard let id = ProfileID(text) else { return nil }
      return try await store.findProfile(id, options: options)
    case .external(let external)?:
      return try await store.findProfile(
        appID: external.appID, externalUserID: external.externalUserID, options: options)
    case .phoneNumber(let text)?:
      guard let number = PhoneNumber(e164: text) else { return nil }
      return try await store.findProfile(phoneNumber: number, options: options)
    case nil: return nil
    }
  }

  /// A country's storefront: as the catalogue names it for the app of an external profile; a
  /// regular one is the same in all apps.
  private func storefront(
    in country: CountryCode, for profile: ProfileRecord
  ) -> OnsideDomain.Storefront {
    guard let appID = profile.appID else {
      return OnsideDomain.Storefront(country)
    }
    return SalesPlace(
      catalogue.snapshot, appID: appID, storefront: OnsideDomain.Storefront(country)
    ).storefront
  }

  private static var noProfile: RPCError {
    RPCError(
      .sandboxNotFound,
      "there is no such profile; name one that has logged in, by identifier, app and external "
        + "user identifier, or phone number")
  }
}
