import RPCCore

// A process that dies with ten thousand connections hangs up all of them at once. To end one costs
// as much as some twenty calls, so they take turns, behind the connections that are in use.

extension EventLoop {
  /// Peers that hung up and whose channels are ended in one pass.
  static let hangUpsPerPass = 8

  /// Whether a channel whose peer has hung up may be dealt with now. If not, it waits for its turn,
  /// out of epoll's sight.
  func takeHangUp(_ channel: Channel) -> Bool {
    if hangUps.isEmpty && hangUpSteps < Self.hangUpsPerPass {
      hangUpSteps += 1
      return true
    }
    // epoll reports a broken connection whether one asks for it or not, and again in each pass.
    poller.remove(channel.descriptor)
    channel.isHangUpWaiting = true
    hangUps.append(channel)
    return false
  }

  /// Deals with those whose turn it is: few while there may be more to read than one wait reports.
  func continueHangUps(isBehind: Bool) {
    var left = (isBehind ? 1 : Self.hangUpsPerPass) - hangUpSteps
    while left > 0, nextHangUp < hangUps.count {
      let channel = hangUps[nextHangUp]
      nextHangUp += 1
      guard channel.isHangUpWaiting else { continue }
      channel.isHangUpWaiting = false
      // What was sent before the hang-up is still to be read, and answered.
      guard poller.add(channel.descriptor, channel.interest, Poller.target(channel)) else {
        channel.end(ChannelEnd(.reset, "the connection was lost"), flushed: false)
        continue
      }
      channel.continueAfterHangUp()
      left -= 1
    }
    guard nextHangUp == hangUps.count else { return }
    hangUps.removeAll()
    nextHangUp = 0
  }
}
