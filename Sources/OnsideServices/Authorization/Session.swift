import OnsideDomain
import OnsideStore
import RPC

/// Who calls, as the call's session token proved it: the principal of calls with a session.
final class Session: Sendable {
  /// What the token says.
  let claims: SessionClaims

  /// The app that the session is in.
  let app: RegisteredApp

  /// Where the profile belongs now.
  let storefront: Storefront

  init(claims: SessionClaims, app: RegisteredApp, storefront: Storefront) {
    self.claims = claims
    self.app = app
    self.storefront = storefront
  }

  var profileID: ProfileID { claims.profileID }
  var appID: String { app.id }
  var kind: ProfileKind { claims.profileKind }

  /// The session's profile as a buyer.
  var buyer: Buyer {
    Buyer(profileID: profileID, appID: appID, kind: kind, storefront: storefront)
  }
}

/// The principal of a call whose session was ended already, where that is no reason to refuse it.
struct EndedSession: Sendable {}

extension ServerContext {
  /// The session that the method's authorization rule found.
  ///
  /// - Throws: `SESSION_MISSING` when there is none: the method's rule doesn't ask for one.
  var session: Session {
    get throws(RPCError) {
      guard let session = principal as? Session else { throw RPCError.sessionMissing }
      return session
    }
  }
}

extension RPCError {
  /// The refusal of a call that needs a session and has none.
  static var sessionMissing: RPCError {
    RPCError(
      .sessionMissing,
      "no session; send the metadata \"authorization: Bearer TOKEN\" with the token of "
        + "CreateSession")
  }

  /// Refuses a call for its session token. The text never shows the token.
  init(refusedSession reason: RefusalReason) {
    switch reason {
    case .sessionExpired: self.init(reason, "the session has expired; log in again")
    case .sessionEnded: self.init(reason, "the session was ended; log in again")
    default:
      self.init(
        .sessionInvalid,
        "the session token isn't one of this service, or its key or app is retired; log in again")
    }
  }
}
