/// Views into a connection for the simulator, which checks what no frame tells.
extension Connection {
  /// Credit of one stream, or of the connection, on this side.
  package struct CreditState: Equatable {
    /// Message bytes that this side may still send.
    package var sendWindow: Int
    /// Message bytes that the peer may still send.
    package var receiveAvailable: Int
    /// Bytes that were taken and wait until a CREDIT is worth it.
    package var receivePending: Int
    /// The size of the receive window.
    package var receiveSize: Int
    /// Bytes of whole messages, not taken by the application, whose credit went back already.
    package var returnedEarly = 0
    /// Bytes of an unfinished message whose credit waits for the reassembly budget.
    package var withheld = 0
    /// This side's direction is closed: its window doesn't count any more.
    package var isLocalClosed: Bool
    /// The peer's direction is closed.
    package var isRemoteClosed: Bool
  }

  /// The credit of the connection.
  package var creditState: CreditState {
    CreditState(
      sendWindow: sendWindow, receiveAvailable: receive.available,
      receivePending: receive.pending, receiveSize: receive.size, isLocalClosed: false,
      isRemoteClosed: false)
  }

  /// The credit of a live stream; nil when it isn't live.
  package mutating func creditState(of stream: StreamID) -> CreditState? {
    guard let place = streams.find(stream.rawValue) else { return nil }
    let state = streams.places[place]
    return CreditState(
      sendWindow: state.sendWindow, receiveAvailable: state.receive.available,
      receivePending: state.receive.pending, receiveSize: state.receive.size,
      returnedEarly: state.earlyWhole, withheld: state.withheld,
      isLocalClosed: state.flags.contains(.localClosed),
      isRemoteClosed: state.flags.contains(.remoteClosed))
  }

  /// The ids of the live streams, in no order.
  package var liveStreams: [StreamID] {
    streams.places.filter { $0.id != 0 }.map(\.streamID)
  }

  /// Bytes of unfinished messages beyond the windows, and bytes of messages that wait to be sent.
  package var heldBytes: (reassembly: Int, outbound: Int) {
    (
      reassembly.used,
      streams.places.reduce(0) { $0 + ($1.id == 0 ? 0 : $1.outbound?.waitingBytes ?? 0) }
    )
  }

  /// What is wrong inside, in words; nil when everything fits together.
  package mutating func inconsistency() -> String? {
    var live = 0
    var ready = 0
    var withholding = 0
    var early = 0
    for place in streams.places.indices where streams.places[place].id != 0 {
      let stream = streams.places[place]
      live += 1
      if streams.find(stream.id) != place {
        return "stream \(stream.id) isn't where it is looked up"
      }
      if stream.flags.contains(.ready) { ready += 1 }
      if stream.withheld > 0 { withholding += 1 }
      early += stream.early + stream.earlyWhole
      if stream.receive.available < 0 || stream.sendWindow < 0 {
        return "stream \(stream.id) has a negative window"
      }
      if stream.flags.contains(.ready), stream.outbound == nil {
        return "stream \(stream.id) is ready with nothing to write"
      }
    }
    if live != streams.count { return "\(live) live streams, counted \(streams.count)" }
    if withholding != self.withholding {
      return "\(withholding) streams withhold, counted \(self.withholding)"
    }
    if early != reassembly.used {
      return "\(early) bytes were returned early, counted \(reassembly.used)"
    }
    return listInconsistency(ready)
  }

  private func listInconsistency(_ ready: Int) -> String? {
    var listed = 0
    var previous: Int32 = -1
    var next = readyHead
    while next >= 0, listed <= ready {
      let stream = streams.places[Int(next)]
      if stream.id == 0 || stream.previous != previous {
        return "the list of ready streams is broken"
      }
      listed += 1
      previous = next
      next = stream.next
    }
    return listed == ready && previous == readyTail ? nil : "\(listed) listed, \(ready) ready"
  }
}
