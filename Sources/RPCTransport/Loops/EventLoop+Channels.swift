import CLinux
import Synchronization

extension EventLoop {
  /// Takes a channel in and begins its handshake. False if the system or a stop doesn't let it.
  func register(_ channel: Channel, replacing pollable: Pollable? = nil) -> Bool {
    assert(isCurrent)
    guard !isStopping else { return false }
    // A client speaks first: its socket is ready for writing at once.
    channel.interest = Channel.readable
    if let pollable {
      forget(pollable)
      poller.modify(channel.descriptor, channel.interest, Poller.target(channel))
    } else if !poller.add(channel.descriptor, channel.interest, Poller.target(channel)) {
      return false
    }
    channel.slot = channels.count
    channels.append(channel)
    channelCount.wrappingAdd(1, ordering: .relaxed)
    channel.start()
    return true
  }

  /// Lets go of a channel whose descriptor is about to be closed.
  func unregister(_ channel: Channel) {
    guard channel.slot >= 0 else { return }
    // First of all: the call that is under way may hold no reference of its own.
    closedInPass.append(channel)
    // Closing the descriptor isn't enough: while a child process that is being started still has a
    // copy of it, epoll would go on to report events, for an object that is gone.
    poller.remove(channel.descriptor)
    let last = channels.removeLast()
    if last !== channel {
      channels[channel.slot] = last
      last.slot = channel.slot
    }
    channel.slot = -1
    forgetBusy(channel)
    channel.isHangUpWaiting = false
    channelCount.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Watches the descriptor of something that isn't a channel, and keeps the object.
  func watch(_ pollable: Pollable, _ descriptor: Int32, _ flags: UInt32) -> Bool {
    assert(isCurrent)
    guard !isStopping, poller.add(descriptor, flags, Poller.target(pollable)) else { return false }
    pollables[ObjectIdentifier(pollable)] = pollable
    return true
  }

  /// Ends ``watch(_:_:_:)``. The descriptor is the caller's to close.
  func unwatch(_ pollable: Pollable, _ descriptor: Int32) {
    poller.remove(descriptor)
    forget(pollable)
  }

  private func forget(_ pollable: Pollable) {
    closedInPass.append(pollable)
    pollables.removeValue(forKey: ObjectIdentifier(pollable))
  }

  /// Puts the channel on the list of those that are written to at the end of the pass.
  func markDirty(_ channel: Channel) {
    guard !channel.isDirty else { return }
    channel.isDirty = true
    dirtyChannels.append(channel)
  }

  /// Puts the channel on the list of those that have more to read than epoll knows of.
  func markReady(_ channel: Channel) {
    guard !channel.isReady else { return }
    channel.isReady = true
    readyChannels.append(channel)
  }

  /// Handshakes are expensive; at most eight steps a pass keep them from holding up open channels.
  func takeHandshakeStep() -> Bool {
    guard handshakeSteps < 8 else { return false }
    handshakeSteps += 1
    return true
  }
}
