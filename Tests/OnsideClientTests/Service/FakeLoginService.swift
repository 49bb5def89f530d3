import OnsideProto
import RPC
import Synchronization

struct FakeLoginService: LoginService {
  let service: FakeService

  func createSession(
    _ request: CreateSessionRequest, context: ServerContext
  ) async throws -> CreateSessionResponse {
    let detail = "\(request.credential.map { "\($0)" } ?? "none")"
    return try await service.perform(context, detail) { books in
      let profileID = try Self.profile(request, &books)
      let token = "token-\(books.makeID())"
      books.sessions[token] = profileID
      return CreateSessionResponse(
        sessionToken: token, profileID: profileID, created: true, expiresAtMs: .max,
        storefrontCountry: "DE")
    }
  }

  private static func profile(
    _ request: CreateSessionRequest, _ books: inout FakeService.Books
  ) throws -> String {
    switch request.credential {
    case .externalUserID(""):
      throw books.refusal(.invalidArgument, "EXTERNAL_USER_ID_EMPTY")
    case .externalUserID(let user):
      return account("external-\(user)", .external, user, request.countryHint, &books)
    case .phone(let phone):
      guard let number = books.codes[phone.challengeID] else {
        throw books.refusal(.unauthenticated, "PHONE_CODE_EXPIRED")
      }
      guard phone.code == "123456" else {
        throw books.refusal(.unauthenticated, "PHONE_CODE_WRONG")
      }
      return account("phone-\(number)", .regular, "", request.countryHint, &books)
    case .store(let store):
      guard store.code == "approved" else {
        throw books.refusal(.unauthenticated, "STORE_LOGIN_REFUSED")
      }
      return account("store-account", .regular, "", request.countryHint, &books)
    case nil: throw RPCError(.invalidArgument, "no credential")
    }
  }

  private static func account(
    _ id: String, _ kind: ProfileKind, _ user: String, _ hint: String,
    _ books: inout FakeService.Books
  ) -> String {
    if books.accounts[id] == nil {
      let country = hint.isEmpty ? "DE" : hint
      books.accounts[id] = FakeService.Account(
        profile: Profile(
          profileID: id, kind: kind, appID: "com.example.shop", externalUserID: user,
          storefront: Storefront(id: country, countryCode: country), createdAtMs: 1))
    }
    return id
  }

  func getProfile(
    _ request: GetProfileRequest, context: ServerContext
  ) async throws -> GetProfileResponse {
    try await service.perform(context) { books in
      let id = try books.profileID(context)
      return GetProfileResponse(profile: books.accounts[id]?.profile)
    }
  }

  func endSession(
    _ request: EndSessionRequest, context: ServerContext
  ) async throws -> EndSessionResponse {
    let token = String(context.metadata.first("authorization")?.dropFirst(7) ?? "")
    return try await service.perform(context, token) { books in
      books.sessions[token] = nil
      return EndSessionResponse()
    }
  }

  func sendPhoneCode(
    _ request: SendPhoneCodeRequest, context: ServerContext
  ) async throws -> SendPhoneCodeResponse {
    try await service.perform(context, request.phoneNumber) { books in
      guard request.phoneNumber.hasPrefix("+") else {
        throw books.refusal(.invalidArgument, "PHONE_NUMBER_INVALID")
      }
      let id = "challenge-\(books.makeID())"
      books.codes[id] = request.phoneNumber
      return SendPhoneCodeResponse(challengeID: id, expiresAtMs: 2, resendAfterMs: 1)
    }
  }

  func beginStoreLogin(
    _ request: BeginStoreLoginRequest, context: ServerContext
  ) async throws -> BeginStoreLoginResponse {
    try await service.perform(context, request.callbackScheme) { books in
      let id = "login-\(books.makeID())"
      return BeginStoreLoginResponse(
        loginID: id, url: "onside://login?state=\(id)", expiresAtMs: 2)
    }
  }
}

struct FakeAnalyticsService: AnalyticsService {
  let service: FakeService

  func getAttribution(
    _ request: GetAttributionRequest, context: ServerContext
  ) async throws -> GetAttributionResponse {
    try await service.perform(context, request.installationID) { _ in
      GetAttributionResponse(referrerURL: "https://example.com/ad")
    }
  }

  func trackEvents(
    _ request: TrackEventsRequest, context: ServerContext
  ) async throws -> TrackEventsResponse {
    try await service.perform(context, "\(request.events.count)") { books in
      let known = Set(books.events.map(\.eventID))
      let new = request.events.filter { !known.contains($0.eventID) }
      books.events += new
      return TrackEventsResponse(accepted: Int32(new.count))
    }
  }
}
