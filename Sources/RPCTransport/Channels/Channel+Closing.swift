import CLinux
import COpenSSL
import RPCCore

// How a channel ends: [closing: send the queue, close_notify, SHUT_WR] → the handler is told →
// [lingering: drop input for a moment] → released.

extension Channel {
  func beginClosing() {
    phase = .closing
    keptInput.release()
    isPaused = false
    setInterest(interest | Self.readable)
    armTimer(after: limits.closeTimeout)
    loop.markDirty(self)
  }

  /// Everything queued is written.
  func finishClosing() {
    end(ChannelEnd(.closed, "closed by this side"), flushed: true)
  }

  /// Input while the queue is still being sent: nobody wants it.
  func discardWhileClosing() {
    guard let ssl else { return }
    let base = loop.scratch.base
    var budget = limits.readBudget
    while budget > 0 {
      ERR_clear_error()
      let count = SSL_read(ssl, base, Int32(InputScratch.capacity))
      if count > 0 {
        budget -= Int(count)
        continue
      }
      if TLSFailure(ssl, count).isTemporary { return }
      return end(
        ChannelEnd(.closed, "closed by both sides, with \(output.count) queued bytes unsent"),
        flushed: false)
    }
  }

  /// The logical end of a channel that was open. `flushed`: both sides agree on what was sent, so
  /// the peer gets a close_notify.
  func end(_ reason: ChannelEnd, flushed: Bool) {
    guard phase != .lingering && phase != .released else { return }
    if phase == .handshaking || handler == nil { return fail(reason) }
    if flushed && phase != .aborting { sendCloseNotify() }
    let handler = self.handler
    self.handler = nil
    leave(reason)
    handler?.channelEnded(self, reason: reason)
  }

  /// The end of a channel whose handshake didn't get done.
  func fail(_ reason: ChannelEnd) {
    guard phase != .lingering && phase != .released else { return }
    let opener = self.opener
    leave(reason)
    opener?.channelFailed(self, reason)
  }

  private func sendCloseNotify() {
    guard let ssl else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// Frees what the channel holds. The socket may stay a moment longer.
  private func leave(_ reason: ChannelEnd) {
    finalWireBytes = wireBytes
    if let ssl { SSL_free(ssl) }
    ssl = nil
    output.removeAll()
    output.releaseMemoryIfEmpty()
    keptInput.release()
    timer?.disarm()
    timer = nil
    if reason.code == .aborted || reason.code == .writeStalled {
      clinux_reset_on_close(descriptor)
      release()
    } else if reason.mayHaveUnreadInput {
      linger()
    } else {
      release()
    }
  }

  private func linger() {
    phase = .lingering
    // Mostly the peer has said its goodbye already: then closing the socket says the rest.
    discardWhileLingering()
    guard phase == .lingering else { return }
    guard shutdown(descriptor, Int32(SHUT_WR)) == 0 else { return release() }
    setInterest(Self.readable)
    armTimer(after: limits.discardTimeout)
  }

  func discardWhileLingering() {
    var rounds = 0
    while rounds < 16 {
      let count = clinux_discard(
        descriptor, loop.scratch.base, InputScratch.capacity, peer.isTCP)
      if count > 0 || (count < 0 && clinux_errno() == EINTR) {
        rounds += 1
        continue
      }
      if count < 0 && clinux_errno() == EAGAIN { return }
      return release()
    }
  }

  /// Closes the socket. The object stays in memory until the end of the pass.
  func release() {
    guard phase != .released else { return }
    phase = .released
    timer?.disarm()
    timer = nil
    loop.unregister(self)
    CLinux.close(descriptor)
    let opener = self.opener
    self.opener = nil
    opener?.channelReleased(self)
  }
}

extension ChannelEnd {
  /// Whether the peer may still be sending, or may not have read everything yet: then the socket
  /// can't be closed at once without the risk of a reset that destroys what was sent last.
  var mayHaveUnreadInput: Bool {
    switch code {
    case .endOfStream, .truncated, .reset, .handshakeTimeout: false
    default: true
    }
  }
}
