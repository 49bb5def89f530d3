import RPCCore

// A channel that is idle holds no buffers. To free and make them for each use costs a few percent
// of a handshake or a small call, so that those in use keep theirs: at most some 50 KiB each.

extension EventLoop {
  /// How many channels of a loop may keep their buffers.
  static let busyChannelLimit = 256
  /// After so long without use, to twice as long, buffers are given back; in nanoseconds.
  static let busyCheckInterval: Int64 = 1_000_000_000

  /// Lets a channel keep its buffers while it is used, if there is room for one more.
  func keepBuffers(of channel: Channel) {
    guard busyChannels.count < Self.busyChannelLimit else { return }
    channel.busySlot = busyChannels.count
    busyChannels.append(channel)
    let timer = busyTimer ?? makeTimer { [unowned self] in checkBusyChannels() }
    busyTimer = timer
    if !timer.isArmed { timer.arm(at: instant.advanced(byNanoseconds: Self.busyCheckInterval)) }
  }

  /// Takes a channel out of those that keep their buffers.
  func forgetBusy(_ channel: Channel) {
    guard channel.busySlot >= 0 else { return }
    let last = busyChannels.removeLast()
    if last !== channel {
      busyChannels[channel.busySlot] = last
      last.busySlot = channel.busySlot
    }
    channel.busySlot = -1
    if busyChannels.isEmpty { busyTimer?.disarm() }
  }

  private func checkBusyChannels() {
    // From the end: the last one takes the place of one that goes.
    for index in busyChannels.indices.reversed() {
      let channel = busyChannels[index]
      if channel.wasBusy {
        channel.wasBusy = false
      } else {
        forgetBusy(channel)
        channel.releaseBuffers()
      }
    }
    guard !busyChannels.isEmpty else { return }
    busyTimer?.arm(at: instant.advanced(byNanoseconds: Self.busyCheckInterval))
  }
}
