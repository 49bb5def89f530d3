import COpenSSL
import Synchronization

/// The TLS sessions that a client can resume, by server.
///
/// A TLS 1.3 ticket is good for one use only as far as unlinkability goes, so several are kept and
/// the newest is given out; the last one is duplicated, since resuming twice beats a full
/// handshake.
final class SessionCache: Sendable {
  private final class Session: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
      self.pointer = pointer
    }

    deinit {
      SSL_SESSION_free(pointer)
    }
  }

  private let perServer: Int
  private let sessions = Mutex<[Endpoint: [Session]]>([:])
  private static let maximumServers = 1024

  init(perServer: Int) {
    self.perServer = perServer
  }

  /// Keeps a copy of a connection's session: the connection goes on to change its own, on its loop.
  func put(_ session: OpaquePointer, _ server: Endpoint) {
    guard perServer > 0, SSL_SESSION_is_resumable(session) == 1,
      let copy = SSL_SESSION_dup(session)
    else { return }
    let kept = Session(owning: copy)
    sessions.withLock { sessions in
      if sessions[server] == nil && sessions.count >= Self.maximumServers {
        // Any one: a client with so many servers can do with one more full handshake.
        sessions.removeValue(forKey: sessions.first?.key ?? server)
      }
      var list = sessions.removeValue(forKey: server) ?? []
      if list.count >= perServer { list.removeFirst() }
      list.append(kept)
      sessions[server] = list
    }
  }

  /// A session to resume with the server; the reference is the caller's.
  func take(_ server: Endpoint) -> OpaquePointer? {
    let (session, isLast) = sessions.withLock { sessions -> (Session?, Bool) in
      guard let count = sessions[server]?.count, count > 0 else { return (nil, false) }
      if count == 1 { return (sessions[server]?.first, true) }
      return (sessions[server]?.removeLast(), false)
    }
    guard let session else { return nil }
    if isLast { return SSL_SESSION_dup(session.pointer) }
    SSL_SESSION_up_ref(session.pointer)
    return session.pointer
  }

  /// How many sessions are kept for a server.
  func count(_ server: Endpoint) -> Int {
    sessions.withLock { $0[server]?.count ?? 0 }
  }
}
