import OnsideDomain
import OnsideStore
import RPC

/// Opens, begins and ends sessions for the handlers, on any event loop.
final class Sessions: Sendable {
  private let authority: SessionAuthority
  private let sealers: TokenSealers
  private let gate: AppGate
  private let clock: ServiceClock

  /// Told when sessions have ended.
  let watches: Watches

  /// Whose token names a storefront that isn't theirs any more.
  let moved = MovedStorefronts()

  /// How long a session lasts, in milliseconds.
  private let lifetime: Int64

  /// - Parameter authority: Has been started.
  init(
    _ authority: SessionAuthority, gate: AppGate, watches: Watches, clock: ServiceClock, loops: Int
  ) {
    self.authority = authority
    self.watches = watches
    sealers = authority.makeSealers(loops: loops)
    self.gate = gate
    self.clock = clock
    lifetime = authority.policy.tokenLifetime
  }

  /// The session of a token.
  ///
  /// - Parameters:
  ///   - token: What the caller sent.
  ///   - loop: The event loop that this runs on; nil: none.
  /// - Throws: `.sessionInvalid`, `.sessionExpired`, `.sessionEnded`.
  func open(
    _ token: UnsafeRawBufferPointer, loop: Int?
  ) throws(RefusalReason) -> Session {
    let now = clock.wall()
    let claims = try sealers.withSealer(ofLoop: loop) { sealer throws(RefusalReason) in
      try sealer.open(token, now: now)
    }
    guard let app = gate.apps.find(claims.app) else { throw .sessionInvalid }
    return Session(
      claims: claims, app: app,
      storefront: moved.find(claims.profileID) ?? claims.storefront)
  }

  /// A session that has just begun.
  struct Opened: Sendable {
    let token: String
    let expiresAt: Timestamp
  }

  /// Begins a session of a profile. Nothing is written.
  func begin(
    _ profile: ProfileRecord, app: RegisteredApp, loop: Int?
  ) throws(RPCError) -> Opened {
    var opened: Opened?
    try begin(ProfileSummary(profile), app: app, loop: loop) { token, expiresAt in
      opened = Opened(token: String(decoding: token, as: UTF8.self), expiresAt: expiresAt)
    }
    guard let opened else { throw RPCError(.internal, RPCError.internalErrorText) }
    return opened
  }

  /// Begins a session of a profile; allocates nothing.
  ///
  /// - Parameter body: Gets the token's ASCII characters, borrowed, and when it expires. Called
  ///   once unless this throws.
  func begin(
    _ profile: ProfileSummary, app: RegisteredApp, loop: Int?,
    _ body: (UnsafeRawBufferPointer, Timestamp) -> Void
  ) throws(RPCError) {
    let now = clock.wall()
    let result = withUnsafeTemporaryAllocation(
      byteCount: TokenSealer.maximumTextCount, alignment: 1
    ) { text -> TokenSealingError? in
      do throws(TokenSealingError) {
        let (count, expiresAt) = try sealers.withSealer(ofLoop: loop) {
          sealer throws(TokenSealingError) in
          let claims = try self.claims(of: profile, app: app, now: now, sealer)
          return (try sealer.seal(claims, now: now, to: text), claims.expiresAt)
        }
        body(UnsafeRawBufferPointer(rebasing: text[..<count]), expiresAt)
        return nil
      } catch {
        return error
      }
    }
    if let result { throw RPCError(.internal, RPCError.internalErrorText, cause: result) }
  }

  private func claims(
    of profile: ProfileSummary, app: RegisteredApp, now: Timestamp, _ sealer: TokenSealer
  ) throws(TokenSealingError) -> SessionClaims {
    guard let session = sealer.makeSessionID() else { throw .cipherFailed }
    return SessionClaims(
      sessionID: session, profileID: profile.id, app: app.tag, profileKind: profile.kind,
      storefront: profile.storefront,
      expiresAt: Timestamp(milliseconds: now.milliseconds + lifetime))
  }

  /// Ends a session. From the return on its token is refused, also after a restart.
  func end(_ session: Session, options: RequestOptions) async throws(RPCError) {
    try await stored { () async throws(StoreError) in
      try await authority.end(session.claims, options: options)
    }
    watches.end(session.claims.sessionID)
  }

  /// Takes over what other servers on the same store did, and keeps keys and ended sessions in
  /// order.
  func maintain() async throws(StoreError) {
    try await authority.refresh()
    try await authority.maintain()
    watches.endWithSessions(othersEnded: true)
    try await refreshStorefronts()
  }

  /// Reads which storefronts were set since the oldest token that may live. To be done before
  /// listening.
  func refreshStorefronts() async throws(StoreError) {
    let start = Timestamp(milliseconds: clock.wall().milliseconds - lifetime)
    moved.insert(try await authority.storefrontChanges(since: start))
    moved.purge(changedBefore: start)
  }

  /// Lets the sessions of a profile know its new storefront, which is stored already.
  func move(_ profile: ProfileID, to storefront: Storefront, at time: Timestamp) {
    moved.insert([
      StorefrontChange(profileID: profile, storefront: storefront, changedAt: time)
    ])
  }
}
