extension Connection {
  // MARK: The list of streams with something to write

  /// Puts a stream with queued output at the end of the list, unless it is there.
  mutating func markReady(_ place: Int) {
    guard streams.places[place].hasQueue, !streams.places[place].flags.contains(.ready) else {
      return
    }
    streams.places[place].flags.insert(.ready)
    streams.places[place].next = -1
    streams.places[place].previous = readyTail
    let index = Int32(truncatingIfNeeded: place)
    if readyTail >= 0 {
      streams.places[Int(readyTail)].next = index
    } else {
      readyHead = index
    }
    readyTail = index
  }

  mutating func unmarkReady(_ place: Int) {
    guard streams.places[place].flags.contains(.ready) else { return }
    streams.places[place].flags.remove(.ready)
    let next = streams.places[place].next
    let previous = streams.places[place].previous
    if next >= 0 { streams.places[Int(next)].previous = previous } else { readyTail = previous }
    if previous >= 0 { streams.places[Int(previous)].next = next } else { readyHead = next }
  }

  // MARK: Ends

  /// This side's last frame on a stream is in the output.
  mutating func localEnded(_ place: Int) {
    streams.places[place].flags.insert([.localClosed, .finishing])
    guard role == .server else { return }
    streams.places[place].deadline = .distantFuture
    let isHalfClosed = streams.places[place].flags.contains(.remoteClosed)
    late.expect(
      LateFrames.control + (isHalfClosed ? 0 : streams.places[place].receive.available))
  }

  /// Drops queued and half-received messages of a call that is over.
  mutating func abandonMessages(_ place: Int, _ output: inout OutputBuffer) {
    unmarkReady(place)
    streams.places[place].outbound = nil
    streams.places[place].flags.remove(.awaitsWritable)
    abandonIncoming(place, &output)
  }

  /// Drops a half-received message that nobody will take: the END is decided.
  mutating func abandonIncoming(_ place: Int, _ output: inout OutputBuffer) {
    guard streams.places[place].flags.contains(.remotePartial) else { return }
    streams.places[place].assembly = nil
    streams.places[place].flags.subtract([.remotePartial, .partialCompressed])
    forgetWithheld(place)
    let early = streams.places[place].early
    guard early > 0 else { return }
    streams.places[place].early = 0
    reassembly.release(early, for: streams.places[place].id)
    returnWithheld(&output)
  }

  /// Takes a stream out of the table and returns what it held.
  mutating func remove(_ place: Int, _ output: inout OutputBuffer) {
    unmarkReady(place)
    forgetWithheld(place)
    let early = streams.places[place].early + streams.places[place].earlyWhole
    let id = streams.places[place].id
    streams.remove(place)
    if early > 0 {
      reassembly.release(early, for: id)
      returnWithheld(&output)
    }
  }

  /// Server: frees the slot when both the wire and the handler are done with the call.
  mutating func removeIfOver(_ place: Int, _ output: inout OutputBuffer) {
    guard streams.places[place].flags.isSuperset(of: [.localClosed, .handlerEnded]) else { return }
    remove(place, &output)
  }

  /// Client: writes CANCEL and forgets the call.
  mutating func cancelLive(_ place: Int, _ output: inout OutputBuffer) {
    late.expect(LateFrames.control + streams.places[place].receive.available)
    output.appendFrame(.cancel, streams.places[place].streamID)
    remove(place, &output)
  }

  // MARK: Credit of half-received messages

  /// Returns the credit of a fragment before its message is whole, as far as the budget allows.
  mutating func returnEarly(_ place: Int, _ size: Int, _ output: inout OutputBuffer) {
    guard reassembly.take(size, for: streams.places[place].id) else {
      if streams.places[place].withheld == 0 { withholding += 1 }
      streams.places[place].withheld += size
      return
    }
    streams.places[place].early += size
    giveBack(place, size, &output)
  }

  /// The stream's message is whole or abandoned: what was withheld is the application's to return.
  mutating func forgetWithheld(_ place: Int) {
    guard streams.places[place].withheld > 0 else { return }
    streams.places[place].withheld = 0
    withholding -= 1
  }

  /// The budget has room again: streams that waited for it get their credit.
  mutating func returnWithheld(_ output: inout OutputBuffer) {
    guard withholding > 0 else { return }
    for place in streams.places.indices where streams.places[place].id != 0 {
      let size = streams.places[place].withheld
      guard size > 0, reassembly.take(size, for: streams.places[place].id) else { continue }
      forgetWithheld(place)
      streams.places[place].early += size
      giveBack(place, size, &output)
    }
  }

  /// Returns credit to a stream whose peer may still send.
  private mutating func giveBack(_ place: Int, _ size: Int, _ output: inout OutputBuffer) {
    // A client's stream receives until it is gone, also after its own half-close.
    guard
      role == .client
        || streams.places[place].flags.isDisjoint(with: [.remoteClosed, .finishing])
    else { return }
    let increment = streams.places[place].receive.giveBack(size)
    if increment > 0 { output.appendCredit(streams.places[place].streamID, increment) }
  }

  /// The application has taken a message of this many bytes (`MessageContent.count`): its credit
  /// goes back to the peer. Not needed for the messages of unary calls; harmless there.
  public mutating func consumed(_ stream: StreamID, _ bytes: Int, into output: inout OutputBuffer) {
    guard !isClosed, bytes > 0, let place = streams.find(stream.rawValue) else { return }
    let early = min(bytes, streams.places[place].earlyWhole)
    giveBack(place, bytes - early, &output)
    guard early > 0 else { return }
    streams.places[place].earlyWhole -= early
    reassembly.release(early, for: stream.rawValue)
    returnWithheld(&output)
  }
}
