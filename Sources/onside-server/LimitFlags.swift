import Flags
import OnsideServices
import RPCCore
import RPCServer
import RPCTransport

/// The limits that flags of `onside-server` set. `Docs/limits.md` says what a peer sees of each.
enum LimitFlags {
  private static let many = 1_000_000_000

  static let connections: [LimitFlag] = [
    .count(
      "max-connections", \.listener.maximumConnections, in: 1...1_000_000,
      help: "further connections are closed at once"),
    .count(
      "max-connections-per-address", \.listener.maximumConnectionsPerAddress, in: 1...1_000_000,
      help: "further connections of an address (of a /64 with IPv6) are closed at once"),
    .count(
      "max-handshakes", \.listener.maximumHandshakes, in: 1...1_000_000,
      help: "TLS handshakes at a time; accepting waits above it"),
    .count(
      "max-handshakes-per-second", \.listener.maximumHandshakesPerSecond, in: 0...1_000_000,
      help: "new connections a second; accepting waits above it; 0 for any number"),
    .time(
      "handshake-timeout", \.server.channel.handshakeTimeout, in: 0.1...600,
      help: "from the connection to the end of the TLS handshake"),
    .time(
      "setup-timeout", \.server.connection.setupTimeout, in: 0.1...600,
      help: "from there to the end of the peer's SETUP"),
    .optionalTime(
      "idle-timeout", \.server.connection.idleTimeout, upTo: 86_400,
      help: "a connection without calls for so long, or up to twice as long, is drained"),
    .optionalTime(
      "max-connection-age", \.server.connection.maximumAge, upTo: 31_536_000,
      help: "a connection that is so old, give or take a tenth, is drained"),
    .optionalTime(
      "max-connection-age-grace", \.server.connection.ageGrace, upTo: 31_536_000,
      help: "how long its calls may go on before it is closed"),
    .optionalTime(
      "keep-alive-interval", \.server.connection.keepAlive.interval, upTo: 86_400,
      help: "silence of a client with open calls after which it is asked whether it lives"),
    .time(
      "keep-alive-timeout", \.server.connection.keepAlive.timeout, in: 0.1...600,
      help: "how long it may take to answer"),
    .toggle(
      "keep-alive-without-calls", \.server.connection.keepAlive.withoutCalls,
      help: "ask clients without open calls, too"),
    .time(
      "ticket-key-lifetime", \.tls.ticketKeyLifetime, in: 1...86_400,
      help: "how long TLS session tickets are made with one key; they last twice as long"),
  ]

  static let sizes: [LimitFlag] = [
    .count(
      "max-calls", \.server.connection.maximumConcurrentCalls, in: 1...100_000,
      help: "calls of one connection at a time; the client queues further ones"),
    .count(
      "max-message-bytes", \.server.connection.maximumMessageSize, in: 65_536...1_073_741_824,
      help: "the longest request"),
    .count(
      "max-frame-bytes", \.server.connection.maximumFramePayload, in: 65_536...16_777_216,
      help: "the longest frame"),
    .count(
      "stream-window", \.server.connection.streamWindow, in: 65_536...1_073_741_824,
      help: "bytes of one call that may be under way unread"),
    .count(
      "connection-window", \.server.connection.connectionWindow, in: 1_048_576...1_073_741_824,
      help: "bytes of one connection's messages that may be under way"),
    .count(
      "max-unfinished-bytes", \.server.connection.reassemblyBudget, in: 65_536...many,
      help: "parts of long requests held for one connection; at least one request"),
    .count(
      "max-inflate-ratio", \.server.inflateRatioLimit, in: 1...10_000,
      help: "how many times its size a compressed request above 1 MiB may have"),
    .count(
      "max-unread-bytes", \.server.connection.outputLimit, in: 65_536...many,
      help: "replies that wait for a peer which goes on to ask for more"),
    .count(
      "max-output-bytes", \.server.channel.outputLimit, in: 65_536...many,
      help: "output that waits for one connection, whatever it is"),
    .count(
      "worker-threads", \.server.offload.threads, in: 1...1_024,
      help: "calls that take long, such as signed histories, at a time"),
    .count(
      "worker-queue", \.server.offload.queueLimit, in: 0...many,
      help: "such calls that wait for a thread"),
  ]

  static let times: [LimitFlag] = [
    .optionalTime(
      "call-timeout", \.server.deadlines.fallback, upTo: 3_600,
      help: "for calls that come without one"),
    .optionalTime(
      "max-call-timeout", \.server.deadlines.maximum, upTo: 86_400,
      help: "longer ones are cut to it"),
    .time(
      "frame-timeout", \.server.connection.frameTimeout, in: 0.1...600,
      help: "from a frame's first byte to its last, if it comes at less than --min-frame-rate"),
    .count(
      "min-frame-rate", \.server.connection.minimumFrameRate, in: 1...many,
      help: "bytes a second of a frame that takes longer than --frame-timeout"),
    .time(
      "reply-timeout", \.server.connection.replyTimeout, in: 0.1...3_600,
      help: "how long a reply that lacks credit may stand still after its call's deadline"),
    .time(
      "write-stall-timeout", \.server.channel.writeStallTimeout, in: 0.1...600,
      help: "how long a peer may take nothing of what waits for it"),
    .time(
      "close-timeout", \.server.channel.closeTimeout, in: 0.1...600,
      help: "how long a close may take to send what waits"),
  ]

  static let budgets: [LimitFlag] = [
    .time(
      "budget-window", \.server.connection.abuse.window, in: 1...3_600,
      help: "the sliding window in which the following are counted"),
    .count(
      "cancel-budget", \.server.connection.abuse.cancels, in: 0...many,
      help: "CANCELs; never fewer than twice --max-calls"),
    .count(
      "stream-error-budget", \.server.connection.abuse.streamErrors, in: 0...many,
      help: "calls that break a limit of their own"),
    .count(
      "refused-call-budget", \.server.connection.abuse.refusedCalls, in: 0...many,
      help: "calls above --max-calls"),
    .count("ping-budget", \.server.connection.abuse.pings, in: 0...many, help: "PINGs"),
    .count(
      "control-frame-budget", \.server.connection.abuse.controlFrames, in: 0...many,
      help: "PINGs and CREDITs that answer no message"),
    .count(
      "extension-frame-budget", \.server.connection.abuse.extensionFrames, in: 0...many,
      help: "frames of unknown extension types"),
    .count(
      "empty-message-budget", \.server.connection.abuse.emptyMessages, in: 0...many,
      help: "empty messages, which take no credit"),
    .count(
      "late-frame-budget", \.server.connection.abuse.lateFrames, in: 0...many,
      help: "frames for calls that are over, beyond those that were under way"),
    .count(
      "idle-record-budget", \.server.channel.idleRecordLimit, in: 1...many,
      help: "TLS messages without data, such as key updates"),
  ]

  static let logins: [LimitFlag] = [
    .time(
      "phone-code-lifetime", \.marketplace.phoneLogin.codeLifetime, in: 1...3_600,
      help: "how long a code that was sent to a phone can be used"),
    .count(
      "phone-code-tries", \.marketplace.phoneLogin.triesPerCode, in: 1...100,
      help: "wrong tries after which a code is of no use any more"),
    .count(
      "phone-free-codes", \.marketplace.phoneLogin.freeCodes, in: 1...many,
      help: "codes for one number from one address before it has to wait"),
    .count(
      "phone-free-codes-per-number", \.marketplace.phoneLogin.freeCodesPerNumber, in: 1...many,
      help: "codes for one number at once from all addresses; then one an hour"),
    .count(
      "phone-free-codes-per-address", \.marketplace.phoneLogin.freeCodesPerAddress, in: 1...many,
      help: "codes from one address at once that no login followed; then one a minute"),
    .count(
      "phone-free-wrong-codes", \.marketplace.phoneLogin.freeWrongCodesPerAddress, in: 1...many,
      help: "wrong codes from one address before it has to wait"),
    .count(
      "phone-max-codes", \.marketplace.phoneLogin.capacity, in: 1...10_000_000,
      help: "codes that are waited for; above it the address with the most loses its oldest"),
    .count(
      "phone-max-remembered", \.marketplace.phoneLogin.rememberedCapacity, in: 2...10_000_000,
      help: "numbers and addresses whose waits are remembered, each"),
    .time(
      "store-login-lifetime", \.marketplace.storeLogin.lifetime, in: 1...86_400,
      help: "how long a login through the store app may take"),
    .count(
      "store-login-max", \.marketplace.storeLogin.capacity, in: 1...10_000_000,
      help: "logins through the store app under way; above it as with --phone-max-codes"),
  ]

  static let all = connections + sizes + times + budgets + logins

  /// For the command, with their headings.
  static var elements: [any CommandElement] {
    [Heading("Limits of connections")] + connections.map(\.element)
      + [Heading("Limits of sizes")] + sizes.map(\.element)
      + [Heading("Limits of time")] + times.map(\.element)
      + [Heading("Budgets of one connection")] + budgets.map(\.element)
      + [Heading("Limits of logins")] + logins.map(\.element)
  }
}
