import CLinux
import COpenSSL
import RPCCore

extension Channel {
  /// Output was appended: the channel is written to at the end of the pass.
  @usableFromInline
  func outputAppended() {
    guard phase == .open else {
      // Before the handshake's end there is nobody who could write; afterwards it is too late.
      if phase != .closing { output.removeAll() }
      return
    }
    if isDirty || output.isEmpty { return }
    loop.markDirty(self)
  }

  /// The loop's pass ends: writes what was appended in it, or carries out a close.
  func flushAtPassEnd() {
    isDirty = false
    switch phase {
    case .open, .closing:
      if output.count > limits.outputLimit {
        return end(
          ChannelEnd(.outputLimit, "\(output.count) bytes of output were queued"), flushed: false)
      }
      // Noted before it is written: who stopped at the mark waits to be told, also when the socket
      // takes everything at once.
      noteHighWater()
      if !isWriteBlocked { flush() }
    case .aborting:
      end(ChannelEnd(.aborted, "dropped by this side"), flushed: false)
    case .handshaking, .lingering, .released:
      break
    }
  }

  /// Writes until the output is empty or the socket full.
  func flush() {
    guard let ssl else { return }
    var written = 0
    while !output.isEmpty {
      ERR_clear_error()
      let count = output.withUnsafeBytes { bytes in
        SSL_write(ssl, bytes.baseAddress, Int32(min(bytes.count, 1 << 30)))
      }
      guard count > 0 else {
        // First of all: it reads what OpenSSL and the system say about this very call.
        let failure = TLSFailure(ssl, count)
        if written > 0 { handler?.channelWrote(self, count: written) }
        return writeStopped(failure)
      }
      output.consume(Int(count))
      written += Int(count)
      writtenBytes += UInt64(count)
      if isWriteBlocked { lastProgress = loop.instant }
    }
    releaseOutput()
    if written > 0 { handler?.channelWrote(self, count: written) }
    outputWritten()
  }

  private func outputWritten() {
    if isWriteBlocked {
      isWriteBlocked = false
      setInterest(interest & ~Self.writable)
      if phase == .open {
        timer = timer.flatMap {
          $0.disarm(); return nil
        }
      }
    }
    if phase == .closing { return finishClosing() }
    noteLowWater()
  }

  private func writeStopped(_ failure: TLSFailure) {
    guard failure.isTemporary else {
      return end(failure.channelEnd, flushed: false)
    }
    if !isWriteBlocked {
      isWriteBlocked = true
      lastProgress = loop.instant
      setInterest(interest | Self.writable)
      if phase == .open { armTimer(after: limits.writeStallTimeout) }
    }
    noteHighWater()
    noteLowWater()
  }

  private func noteHighWater() {
    if output.count > limits.outputHighWater { isAboveHighWater = true }
  }

  private func noteLowWater() {
    guard isAboveHighWater, output.count <= limits.outputLowWater else { return }
    isAboveHighWater = false
    if phase == .open { handler?.channelWritable(self) }
  }

  /// The timer of the present phase fired.
  func timerFired() {
    switch phase {
    case .handshaking:
      fail(ChannelEnd(.handshakeTimeout, "the TLS handshake wasn't done in time"))
    case .open:
      guard isWriteBlocked else { return }
      let idle = loop.instant.nanoseconds(since: lastProgress)
      guard idle >= limits.writeStallTimeout else {
        return armTimer(after: limits.writeStallTimeout - idle)
      }
      end(
        ChannelEnd(.writeStalled, "the peer took none of \(output.count) queued bytes in time"),
        flushed: false)
    case .closing:
      end(
        ChannelEnd(.closed, "closed with \(output.count) queued bytes that the peer didn't take"),
        flushed: false)
    case .lingering:
      release()
    case .aborting, .released:
      break
    }
  }

  func armTimer(after nanoseconds: Int64) {
    let timer = timer ?? loop.makeTimer { [unowned self] in timerFired() }
    self.timer = timer
    timer.arm(at: loop.instant.advanced(byNanoseconds: nanoseconds))
  }
}
