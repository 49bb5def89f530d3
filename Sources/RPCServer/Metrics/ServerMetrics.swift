public import RPC

/// What a server has counted since it was made; a copy of one moment.
public struct ServerMetrics: Sendable, Equatable {
  /// Answered calls by status code. Refusals are among them.
  public internal(set) var calls: [StatusCode: Int] = [:]

  /// Calls that were answered by an immediate handler.
  public internal(set) var immediateCalls = 0

  /// Handlers that run now, those too whose caller has gone.
  public internal(set) var runningHandlers = 0

  /// Calls that the client cancelled while their handler ran.
  public internal(set) var cancelledCalls = 0

  /// Calls whose deadline passed while their handler ran.
  public internal(set) var expiredCalls = 0

  /// Calls that were refused with NOT_STARTED.
  public internal(set) var notStartedCalls = 0

  /// Connections whose handshake succeeded.
  public internal(set) var acceptedConnections = 0

  /// Connections that are open now.
  public internal(set) var openConnections = 0

  /// Connections that ended inside a frame, or without close_notify.
  public internal(set) var truncatedConnections = 0

  /// Bytes of frames received.
  public internal(set) var receivedBytes = 0

  /// Connections that were closed because the peer broke a rule, by the rule's name.
  public internal(set) var violations: [String: Int] = [:]

  /// Errors whose text callers didn't get.
  public internal(set) var hiddenErrors = 0

  /// All answered calls.
  public var totalCalls: Int { calls.values.reduce(0, +) }
}
