public import RPC

/// What a client has counted since it was made; a copy of one moment.
public struct ClientMetrics: Sendable, Equatable {
  /// Calls that were put on a connection, each time that they were. Questions for a server's health
  /// aren't among them.
  public internal(set) var attempts = 0

  /// Attempts of retry policies beyond the first of each call.
  public internal(set) var retries = 0

  /// Attempts of hedging policies beyond the first of each call.
  public internal(set) var hedges = 0

  /// Retries and hedges that weren't made because too many calls fail.
  public internal(set) var throttled = 0

  /// Times that a call was put on a connection again because the server had never started it.
  public internal(set) var transparentRetries = 0

  /// Calls whose time was over before they could be sent: they never were.
  public internal(set) var expiredInQueue = 0

  /// Connections that were made.
  public internal(set) var openedConnections = 0

  /// Connections that were made and have ended.
  public internal(set) var closedConnections = 0

  /// Attempts to connect that failed, by how far they came.
  public internal(set) var failedConnections: [RPCError.Phase: Int] = [:]

  /// Connections that are open now.
  public var openConnections: Int { openedConnections - closedConnections }
}
