/// The connections of a run.
public struct ConnectionFigures: Sendable, Equatable {
  /// Handshakes that were completed.
  public var opened = 0

  /// Attempts without a connection.
  public var failed = 0

  /// Connections that ended before the generator closed them.
  public var lost = 0

  /// Of those opened: with a full handshake.
  public var fullHandshakes = 0

  /// Of those opened: with a resumed session.
  public var resumedHandshakes = 0

  /// Attempts that failed in the TLS handshake.
  public var failedHandshakes = 0

  /// Tickets for later resumption that servers sent.
  public var tickets = 0

  /// Of those opened: the server asked for another key share (HelloRetryRequest), a round trip
  /// more.
  public var helloRetries = 0

  /// Bytes that went over the wire from here, TLS records included.
  public var bytesSent: UInt64 = 0

  /// Bytes that came over the wire, TLS records included.
  public var bytesReceived: UInt64 = 0

  /// Of ``bytesSent``: since the load began, warm-up included. What was moved before made the
  /// connections, users and simulated clients ready.
  public var loadBytesSent: UInt64 = 0

  /// Of ``bytesReceived``: likewise.
  public var loadBytesReceived: UInt64 = 0

  /// What was negotiated by the first: "TLSv1.3 TLS_AES_128_GCM_SHA256 X25519, onside/1".
  public var security: String?

  /// The share of the handshakes that resumed a session; nil: there was none.
  public var resumptionRate: Double? {
    opened > 0 ? Double(resumedHandshakes) / Double(opened) : nil
  }

  /// None.
  public init() {}

  /// Adds those of another loop.
  public mutating func merge(_ other: ConnectionFigures) {
    opened += other.opened
    failed += other.failed
    lost += other.lost
    fullHandshakes += other.fullHandshakes
    resumedHandshakes += other.resumedHandshakes
    failedHandshakes += other.failedHandshakes
    tickets += other.tickets
    helloRetries += other.helloRetries
    bytesSent += other.bytesSent
    bytesReceived += other.bytesReceived
    loadBytesSent += other.loadBytesSent
    loadBytesReceived += other.loadBytesReceived
    security = security ?? other.security
  }
}
