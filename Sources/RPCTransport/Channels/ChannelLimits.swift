/// ``ChannelOptions`` in the loop's terms, shared by the channels of a listener or connector.
final class ChannelLimits: Sendable {
  let handshakeTimeout: Int64
  let readBudget: Int
  let outputHighWater: Int
  let outputLowWater: Int
  let outputLimit: Int
  let writeStallTimeout: Int64
  let closeTimeout: Int64
  let discardTimeout: Int64
  let idleRecordLimit: Int
  let idleRecordWindow: Int64
  /// The kernel's limit for bytes that the peer doesn't acknowledge, in milliseconds.
  let userTimeout: Int32

  init(_ options: ChannelOptions) {
    handshakeTimeout = options.handshakeTimeout.wholeNanoseconds
    readBudget = max(1, options.readBudget)
    outputHighWater = max(0, options.outputHighWater)
    outputLowWater = min(max(0, options.outputLowWater), outputHighWater)
    outputLimit = options.outputLimit
    writeStallTimeout = options.writeStallTimeout.wholeNanoseconds
    closeTimeout = options.closeTimeout.wholeNanoseconds
    discardTimeout = options.discardTimeout.wholeNanoseconds
    idleRecordLimit = options.idleRecordLimit
    idleRecordWindow = options.idleRecordWindow.wholeNanoseconds
    // Twice our own, which says more about what happened and should come first.
    userTimeout = Int32(clamping: writeStallTimeout / 500_000)
  }
}

/// Who opened a channel: is told when its handshake is done or has failed, and when it is gone.
protocol ChannelOpener: AnyObject {
  /// What OpenSSL needs for as long as the channel lives: certificates, ticket keys.
  var security: any ChannelSecurity { get }
  /// A client's server, as its sessions are kept by. Nil on the server's side.
  var serverKey: Endpoint? { get }
  /// The handshake is done; the result handles the channel from here on.
  func channelEstablished(_ channel: Channel) -> any ChannelHandler
  /// The handshake failed.
  func channelFailed(_ channel: Channel, _ end: ChannelEnd)
  /// The descriptor is closed.
  func channelReleased(_ channel: Channel)
}

/// One side's TLS settings, as a channel needs them.
protocol ChannelSecurity: AnyObject {
  /// Checks what OpenSSL doesn't, once the handshake is done. Nil if all is well.
  func problem(of channel: Channel, _ ssl: OpaquePointer) -> ChannelEnd?
  /// The reason of a failed handshake, if there is more to tell than OpenSSL's error.
  func explanation(of failure: TLSFailure, _ ssl: OpaquePointer, _ channel: Channel) -> ChannelEnd
}
