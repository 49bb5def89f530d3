import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

// Logins of marketplace accounts: with a phone number and a code, and through the store app.

extension LoginHandlers {
  func sendPhoneCode(
    _ request: SendPhoneCodeRequest, context: ServerContext
  ) async throws -> SendPhoneCodeResponse {
    let app = try gate.admit(request.appID, context)
    return try await phones.send(to: request.phoneNumber, app: app, from: context.peer)
  }

  func beginStoreLogin(
    _ request: BeginStoreLoginRequest, context: ServerContext
  ) async throws -> BeginStoreLoginResponse {
    let app = try gate.admit(request.appID, context)
    return try storeLogins.begin(
      app: app, callbackScheme: request.callbackScheme, from: context.peer)
  }

  /// The session of whoever has the code that was sent to a phone.
  func createSession(
    _ credential: PhoneCredential, app: RegisteredApp, hint: CountryCode?,
    _ context: ServerContext
  ) async throws(RPCError) -> CreateSessionResponse {
    let claim = try phones.claim(credential, app: app, from: context.peer)
    do throws(RPCError) {
      let answer = try await createSession(of: claim.number, app: app, hint: hint, context)
      phones.confirm(claim)
      return answer
    } catch {
      phones.release(claim)
      throw error
    }
  }

  /// The session of whoever the store app has vouched for.
  func createSession(
    _ credential: StoreCredential, app: RegisteredApp, hint: CountryCode?,
    _ context: ServerContext
  ) async throws(RPCError) -> CreateSessionResponse {
    let claim = try storeLogins.claim(credential, app: app)
    do throws(RPCError) {
      let answer = try await createSession(of: claim.number, app: app, hint: hint, context)
      storeLogins.confirm(claim)
      return answer
    } catch {
      storeLogins.release(claim)
      throw error
    }
  }

  /// Makes or finds the account of a number, and begins a session of it in an app.
  private func createSession(
    of number: PhoneNumber, app: RegisteredApp, hint: CountryCode?, _ context: ServerContext
  ) async throws(RPCError) -> CreateSessionResponse {
    let now = clock.wall()
    let country =
      hint ?? number.country
      ?? SalesPlace.storefront(catalogue.snapshot, app: app, hint: nil).country
    // No app's own name of the storefront: the account is the same in all apps.
    let proposed = ProfileRecord(
      id: .timeOrdered(at: now), phoneNumber: number, storefront: OnsideDomain.Storefront(country),
      createdAt: now)
    let creation = try await stored { () async throws(StoreError) in
      try await store.findOrCreateProfile(proposed, options: context.storeOptions)
    }
    return try respond(creation, app: app, context)
  }
}
