/// How long it took to make a channel.
public struct ConnectTimes: Sendable, Hashable {
  /// The TCP connection, to the address that answered.
  public var tcp = Duration.zero

  /// The TLS handshake.
  public var tls = Duration.zero

  /// How often the client has said hello: twice if the server asked for another key share
  /// (HelloRetryRequest), which takes one more round trip.
  var hellos = 0

  /// Whether it did.
  public var isRetried: Bool { hellos > 1 }
}
