/// What lives on a channel: gets its events and owns its protocol. All calls come on the channel's
/// loop, one at a time, and never from within a call that the handler itself made on the channel.
public protocol ChannelHandler: AnyObject {
  /// The TLS handshake is done. First call.
  func channelActive(_ channel: Channel)

  /// Bytes have arrived.
  ///
  /// Returns how many of them, from the front, are done with. The rest is kept and presented again
  /// together with what comes next, so a handler that waits for the rest of a frame returns where
  /// the frame begins. At most ``Channel/maximumUnconsumedBytes`` may be left; more ends the
  /// channel. `bytes` is good during the call only.
  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int

  /// Output that had risen above ``ChannelOptions/outputHighWater`` is down at
  /// ``ChannelOptions/outputLowWater``.
  func channelWritable(_ channel: Channel)

  /// So many bytes of output were handed to the socket: for counting. It may come after
  /// ``channelWritable(_:)`` but never after the channel's end.
  func channelWrote(_ channel: Channel, count: Int)

  /// Called once in each pass that brought or presented bytes, after the last of them: the place
  /// for answers that sum up, such as credit.
  func channelPassEnded(_ channel: Channel)

  /// The channel is over: nothing will be received or sent any more. Last call.
  func channelEnded(_ channel: Channel, reason: ChannelEnd)
}

extension ChannelHandler {
  /// Does nothing.
  public func channelActive(_ channel: Channel) {}
  /// Does nothing.
  public func channelWritable(_ channel: Channel) {}
  /// Does nothing.
  public func channelWrote(_ channel: Channel, count: Int) {}
  /// Does nothing.
  public func channelPassEnded(_ channel: Channel) {}
}
