public import RPC
public import RPCTransport

/// What a server has counted since it was made; a copy of one moment.
public struct ServerMetrics: Sendable, Equatable {
  /// Answered calls by status code. Refusals are among them.
  public internal(set) var calls: [StatusCode: Int] = [:]

  /// The calls of one method.
  public struct MethodCounts: Sendable, Equatable {
    /// Calls that have come: those too whose answer is still to come, and those that nobody waited
    /// for in the end, which are never answered.
    public internal(set) var started = 0

    /// Answered ones by status code.
    public internal(set) var answered: [StatusCode: Int] = [:]

    mutating func add(_ other: MethodCounts) {
      started += other.started
      answered.merge(other.answered, uniquingKeysWith: +)
    }
  }

  /// The calls of each method that was called, by its path: `onside.v1.LoginService/GetProfile`.
  public internal(set) var methods: [String: MethodCounts] = [:]

  /// Calls that were answered by an immediate handler.
  public internal(set) var immediateCalls = 0

  /// Handlers that run now, those too whose caller has gone.
  public internal(set) var runningHandlers = 0

  /// Calls that the client cancelled while their handler ran.
  public internal(set) var cancelledCalls = 0

  /// Calls whose deadline passed while their handler ran.
  public internal(set) var expiredCalls = 0

  /// Offloaded calls that weren't run because their time was over, or their caller gone, before a
  /// worker was free.
  public internal(set) var unstartedCalls = 0

  /// Times that a handler held its event loop beyond the threshold.
  public internal(set) var slowHandlers = 0

  /// Calls that were refused with NOT_STARTED.
  public internal(set) var notStartedCalls = 0

  /// Connections whose handshake succeeded.
  public internal(set) var acceptedConnections = 0

  /// Connections that are open now.
  public internal(set) var openConnections = 0

  /// Connections that ended inside a frame, or without close_notify.
  public internal(set) var truncatedConnections = 0

  /// Connections that ended inside a frame: what had come of it was dropped.
  public internal(set) var truncatedFrames = 0

  /// Connections that were drained because there was no call for the idle timeout.
  public internal(set) var idleConnections = 0

  /// Connections that were drained because they had their maximum age.
  public internal(set) var agedConnections = 0

  /// Connections that were closed with calls open, since the grace time after their maximum age was
  /// over.
  public internal(set) var outlivedConnections = 0

  /// Connections that have ended, by the name of their `ChannelEnd.Code`: `write-stalled` for peers
  /// that didn't read, `idle-records` for floods of TLS messages without data, and so on.
  public internal(set) var connectionEnds: [String: Int] = [:]

  /// Bytes of frames received.
  public internal(set) var receivedBytes = 0

  /// Bytes of frames handed to the system.
  public internal(set) var sentBytes = 0

  /// Connections that were closed because the peer broke a rule, by the rule's name.
  public internal(set) var violations: [String: Int] = [:]

  /// Errors whose text callers didn't get.
  public internal(set) var hiddenErrors = 0

  /// What happened before connections were the server's: accepted, refused, handshakes. All
  /// listeners together.
  public internal(set) var listening = ListenerCounters()

  /// All answered calls.
  public var totalCalls: Int { calls.values.reduce(0, +) }
}
