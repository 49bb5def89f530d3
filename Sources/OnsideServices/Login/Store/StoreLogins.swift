import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import Synchronization

/// Logins through the store app, from their begin to their session.
///
/// They are in memory: after a restart of the server their users begin again.
final class StoreLogins: Sendable {
  /// What the code of a callback URL is.
  private enum CodeTag {}
  private typealias Code = UniqueID<CodeTag>

  /// What the store app's user has decided.
  private enum Decision: Sendable {
    case none
    case approved(PhoneNumber, Code)
    case refused
  }

  private struct Login: Sendable {
    let appID: String
    let scheme: CallbackScheme
    let url: String
    let begunAt: Timestamp
    let expiresAt: Timestamp
    var decision = Decision.none

    /// A session is being made: the code is used unless that fails.
    var isClaimed = false
  }

  private let logins: Mutex<PendingTable<Login>>
  private let policy: StoreLoginPolicy
  private let clock: ServiceClock

  init(_ policy: StoreLoginPolicy, clock: ServiceClock) {
    logins = Mutex(
      PendingTable(capacity: policy.capacity, networkCapacity: policy.networkCapacity))
    self.policy = policy
    self.clock = clock
  }

  /// How many are under way.
  var count: Int { logins.withLock { $0.count } }

  /// Begins a login.
  ///
  /// - Throws: `CALLBACK_SCHEME_INVALID`.
  func begin(
    app: RegisteredApp, callbackScheme: String, from peer: PeerInfo
  ) throws(RPCError) -> BeginStoreLoginResponse {
    let scheme = try CallbackScheme(checking: callbackScheme)
    let id = LoginID.random()
    let (now, wall) = (clock.monotonic(), clock.wall())
    let login = Login(
      appID: app.id, scheme: scheme,
      url: StoreLoginURL.request(state: id, app: app.id, scheme: scheme), begunAt: wall,
      expiresAt: wall.advanced(by: policy.lifetime))
    logins.withLock {
      $0.insert(
        id, login, from: ClientNetwork(peer), expiresAt: now.advanced(by: policy.lifetime),
        now: now)
    }
    return BeginStoreLoginResponse(
      loginID: id.description, url: login.url, expiresAtMs: login.expiresAt.milliseconds)
  }

  /// The logins that wait for the store app's user, oldest first; of an app, or of all.
  func waiting(appID: String?) -> [OnsideProto.StoreLogin] {
    let all = logins.withLock { $0.all(now: clock.monotonic()) }
    return all.compactMap { id, login in
      guard case .none = login.decision, appID == nil || appID == login.appID else { return nil }
      return OnsideProto.StoreLogin(
        loginID: id.description, appID: login.appID, url: login.url,
        begunAtMs: login.begunAt.milliseconds, expiresAtMs: login.expiresAt.milliseconds)
    }
  }

  /// Notes what the store app's user has decided.
  ///
  /// - Parameter number: The account's; nil: refused.
  /// - Returns: The callback URL; nil: no login of this identifier waits for a decision.
  func decide(_ text: String, as number: PhoneNumber?) -> String? {
    guard let id = LoginID(text) else { return nil }
    let now = clock.monotonic()
    return logins.withLock { logins in
      guard let login = logins.find(id, now: now), case .none = login.decision else { return nil }
      guard let number else {
        logins.update(id) { $0.decision = .refused }
        return StoreLoginURL.refusal(state: id, scheme: login.scheme)
      }
      let code = Code.random()
      logins.update(id) { $0.decision = .approved(number, code) }
      return StoreLoginURL.approval(
        state: id, code: code.description, scheme: login.scheme)
    }
  }

  /// A code that was right. It is used when the login is confirmed, and can be used again when it
  /// is released.
  struct Claim: Sendable {
    let id: LoginID
    let number: PhoneNumber
  }

  /// Checks what a callback URL has brought.
  ///
  /// - Throws: `STORE_LOGIN_REFUSED`, `STORE_LOGIN_EXPIRED`.
  func claim(_ credential: StoreCredential, app: RegisteredApp) throws(RPCError) -> Claim {
    guard let id = LoginID(credential.loginID) else { throw Self.expired }
    let now = clock.monotonic()
    let decision = logins.withLock { logins -> Decision in
      guard let login = logins.find(id, now: now), login.appID == app.id, !login.isClaimed else {
        return .none
      }
      if case .approved(_, let code) = login.decision {
        // Both halves are compared, whatever the first says.
        guard let sent = Code(credential.code),
          (sent.high ^ code.high) | (sent.low ^ code.low) == 0
        else { return .none }
        logins.update(id) { $0.isClaimed = true }
      }
      return login.decision
    }
    switch decision {
    case .approved(let number, _): return Claim(id: id, number: number)
    case .refused:
      throw RPCError(
        .storeLoginRefused, "the store app's user has refused; offer another way to log in")
    case .none: throw Self.expired
    }
  }

  private static var expired: RPCError {
    RPCError(
      .storeLoginExpired,
      "the login through the store app has run out of time, was used, isn't decided yet, or the "
        + "code isn't its own; begin again")
  }

  /// The login has succeeded: the code is used.
  func confirm(_ claim: Claim) { logins.withLock { $0.remove(claim.id) } }

  /// The login has failed for another reason: the code can be used again.
  func release(_ claim: Claim) { logins.withLock { $0.update(claim.id) { $0.isClaimed = false } } }
}
