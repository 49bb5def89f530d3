import OnsideDomain
import RPC

/// The authorization rules of the services: what a call's session token has to be like.
///
/// A token travels as the metadata `authorization: Bearer TOKEN`. It is opened in memory.
struct SessionRules: Sendable {
  let sessions: Sessions

  /// The call needs a session that is neither expired nor ended.
  var required: AuthorizationRule {
    AuthorizationRule("session") { [sessions] context throws(RPCError) in
      switch Self.session(context, sessions) {
      case nil: throw RPCError.sessionMissing
      case .success(let session): return session
      case .failure(let reason): throw RPCError(refusedSession: reason)
      }
    }
  }

  /// The call may come without a session; one that comes with it has to be valid, so that nobody
  /// takes an answer for everybody for one about themselves.
  var optional: AuthorizationRule {
    AuthorizationRule("session if any") { [sessions] context throws(RPCError) in
      switch Self.session(context, sessions) {
      case nil: return nil
      case .success(let session): return session
      case .failure(let reason): throw RPCError(refusedSession: reason)
      }
    }
  }

  /// The call needs a session, which may have ended: ending it again changes nothing.
  var endable: AuthorizationRule {
    AuthorizationRule("session, ended or not") { [sessions] context throws(RPCError) in
      switch Self.session(context, sessions) {
      case nil: throw RPCError.sessionMissing
      case .success(let session): return session
      case .failure(.sessionEnded): return EndedSession()
      case .failure(let reason): throw RPCError(refusedSession: reason)
      }
    }
  }

  /// What a call's token is good for; nil: it has none.
  private static func session(
    _ context: ServerContext, _ sessions: Sessions
  ) -> Result<Session, RefusalReason>? {
    context.withMetadataValue("authorization") { value in
      guard let value else { return nil }
      guard let token = Self.token(value) else { return .failure(.sessionInvalid) }
      do throws(RefusalReason) {
        return .success(try sessions.open(token, loop: context.ownLoop))
      } catch {
        return .failure(error)
      }
    }
  }

  /// What stands behind `Bearer `; the scheme's case doesn't matter (RFC 9110, section 11.1).
  private static func token(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let scheme: StaticString = "bearer "
    let length = scheme.utf8CodeUnitCount
    guard value.count > length else { return nil }
    for place in 0..<length {
      let byte = value[place]
      let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      guard lower == scheme.utf8Start[place] else { return nil }
    }
    return UnsafeRawBufferPointer(rebasing: value[length...])
  }
}
