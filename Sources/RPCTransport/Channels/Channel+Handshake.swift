import CLinux
import COpenSSL
import RPCCore

extension Channel {
  /// Begins the handshake on a connected socket. Called once, on the loop.
  func start() {
    guard let ssl, SSL_set_fd(ssl, descriptor) == 1 else {
      return fail(ChannelEnd(.tls, "OpenSSL doesn't take the socket"))
    }
    copenssl_set_connection_data(ssl, Unmanaged.passUnretained(self).toOpaque())
    noteUse()
    armTimer(after: limits.handshakeTimeout)
    guard SSL_is_server(ssl) == 0 else { return }
    // A client speaks first: now, or when epoll reports that its socket can be written to.
    continueHandshake()
    if phase == .handshaking && SSL_get_state(ssl) == TLS_ST_BEFORE {
      setInterest(Self.readable | Self.writable)
    }
  }

  /// One step of the handshake, unless this pass has had enough of them: then epoll, being
  /// level-triggered, reports the channel again.
  func continueHandshake() {
    guard loop.takeHandshakeStep(), let ssl else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    guard result == 1 else { return handshakeStopped(ssl, result) }
    establish(ssl)
  }

  private func handshakeStopped(_ ssl: OpaquePointer, _ result: Int32) {
    let failure = TLSFailure(ssl, result)
    switch failure.kind {
    case .wantRead:
      setInterest(Self.readable)
    case .wantWrite:
      setInterest(Self.readable | Self.writable)
    default:
      guard let opener else { return }
      fail(opener.security.explanation(of: failure, ssl, self))
    }
  }

  private func establish(_ ssl: OpaquePointer) {
    guard let opener else { return }
    security = TLSInfo(ssl)
    if let problem = opener.security.problem(of: self, ssl) { return fail(problem) }
    timer?.disarm()
    timer = nil
    setInterest(Self.readable)
    phase = .open
    let handler = opener.channelEstablished(self)
    self.handler = handler
    handler.channelActive(self)
    // The peer's first bytes may have come along with the end of the handshake.
    if phase == .open && SSL_has_pending(ssl) == 1 { receive() }
  }

  /// The channel of an SSL object, from within a callback of OpenSSL.
  static func of(_ ssl: OpaquePointer?) -> Channel? {
    guard let ssl, let data = copenssl_connection_data(ssl) else { return nil }
    return Unmanaged<Channel>.fromOpaque(data).takeUnretainedValue()
  }

  /// OpenSSL's state machine moved. After the handshake that means a message without data, such as
  /// a key update; one SSL_read handles any number of them before it returns, so a peer that floods
  /// us with them is cut off here.
  func stateMachineMoved() {
    if phase == .handshaking { return noteHello() }
    guard phase == .open || phase == .closing else { return }
    let isWithinBudget = idleRecords.spend(
      limit: limits.idleRecordLimit, window: limits.idleRecordWindow, now: loop.instant)
    guard !isWithinBudget, !hasTooManyIdleRecords else { return }
    hasTooManyIdleRecords = true
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func noteHello() {
    if let ssl, SSL_get_state(ssl) == TLS_ST_CW_CLNT_HELLO { connectTimes.hellos += 1 }
  }
}
