import CLinux
import COpenSSL
import RPCCore

extension Channel {
  /// Reads until the socket is empty or the budget is spent, and hands the bytes to the handler.
  func receive() {
    guard let ssl, let handler else { return }
    let base = loop.scratch.base
    var input = ScratchRange(keptInput.count)
    keptInput.copy(to: base)
    var received = 0
    let hadInput = isInputWaiting
    if hadInput {
      isInputWaiting = false
      present(&input, base, handler)
    }
    while phase == .open && !isPaused && !hasYielded {
      guard makeRoom(for: &input, base) else { return }
      ERR_clear_error()
      let count = SSL_read(ssl, base + input.end, Int32(InputScratch.capacity - input.end))
      guard count > 0 else {
        return stopReading(ssl, count, input, received > 0 || hadInput)
      }
      received += Int(count)
      input.end += Int(count)
      present(&input, base, handler)
      // With read-ahead, what OpenSSL holds may be half a record. Then the next SSL_read says
      // WANT_READ, which ends the loop; has_pending alone would let it spin.
      guard SSL_has_pending(ssl) == 1 else { break }
      if received >= limits.readBudget {
        loop.markReady(self)
        break
      }
    }
    guard phase == .open else { return }
    if input.count > Self.maximumUnconsumedBytes { return overflowed(input.count) }
    keep(input)
    if hasYielded { goOnInNextPass() }
    guard received > 0 || hadInput else { return }
    noteUse()
    handler.channelPassEnded(self)
  }

  /// Goes on after the budget of an earlier pass was spent, or reading was resumed.
  func continueReading() {
    isReady = false
    if phase == .open && !isPaused { receive() }
  }

  /// Lets the loop's other channels have their turn: what the handler leaves now is presented in
  /// the next pass, and nothing is read before. For a handler that few bytes give much to do;
  /// called from ``ChannelHandler/channelReceived(_:bytes:)``.
  public func yieldReading() {
    hasYielded = true
  }

  private func goOnInNextPass() {
    hasYielded = false
    isInputWaiting = keptInput.count > 0
    loop.markReady(self)
  }

  @inline(__always)
  private func present(
    _ input: inout ScratchRange, _ base: UnsafeMutableRawPointer, _ handler: any ChannelHandler
  ) {
    let bytes = UnsafeRawBufferPointer(start: base + input.start, count: input.count)
    let consumed = handler.channelReceived(self, bytes: bytes)
    precondition(consumed >= 0 && consumed <= bytes.count, "more consumed than received")
    input.start += consumed
    if input.start == input.end { input = ScratchRange(0) }
  }

  /// Makes room for a TLS record behind the input; false if the handler left too much for that.
  private func makeRoom(for input: inout ScratchRange, _ base: UnsafeMutableRawPointer) -> Bool {
    if InputScratch.capacity - input.end >= Self.minimumRead { return true }
    base.copyMemory(from: base + input.start, byteCount: input.count)
    input = ScratchRange(input.count)
    if input.count <= Self.maximumUnconsumedBytes { return true }
    overflowed(input.count)
    return false
  }

  private func overflowed(_ count: Int) {
    end(
      ChannelEnd(
        .inputLimit, "the handler left \(count) bytes unconsumed", unconsumedBytes: count),
      flushed: false)
  }

  @inline(__always)
  private func keep(_ input: ScratchRange) {
    if input.count == 0 && keptInput.count == 0 { return }
    let bytes = UnsafeRawBufferPointer(
      start: loop.scratch.base + input.start, count: input.count)
    keptInput.replace(with: bytes)
  }

  /// SSL_read gave nothing: for now, or for good.
  private func stopReading(
    _ ssl: OpaquePointer, _ result: Int32, _ input: ScratchRange, _ gotBytes: Bool
  ) {
    let failure = TLSFailure(ssl, result)
    keep(input)
    if gotBytes { handler?.channelPassEnded(self) }
    guard phase == .open, !failure.isTemporary else { return }
    if hasTooManyIdleRecords {
      return end(
        ChannelEnd(
          .idleRecords,
          "more than \(limits.idleRecordLimit) TLS messages without data in a short time"),
        flushed: false)
    }
    var reason = failure.channelEnd
    reason.unconsumedBytes = input.count
    end(reason, flushed: failure.isEndOfStream)
  }

  func pauseReading() {
    isPaused = true
  }

  func resumeReading() {
    guard isPaused else { return }
    isPaused = false
    guard phase == .open else { return }
    setInterest(interest | Self.readable)
    // Neither the kept input nor what OpenSSL holds makes epoll report the descriptor.
    isInputWaiting = keptInput.count > 0
    loop.markReady(self)
  }
}

/// The part of the scratch memory that holds input which isn't consumed yet.
struct ScratchRange {
  var start = 0
  var end: Int

  var count: Int { end - start }

  /// The first `count` bytes.
  init(_ count: Int) {
    end = count
  }
}
