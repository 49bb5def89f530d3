public import RPC
public import RPCClient
public import RPCTransport

/// One client of a load: calls over one connection.
public protocol LoadClient: CallInvoker {
  /// Makes the connection now.
  ///
  /// - Throws: why the first attempt failed.
  func connect() async throws(RPCError)

  /// Lets calls end and closes the connection.
  func close() async

  /// Closes the connection at once; the calls under way fail.
  func abort() async

  /// Closes the connection when all calls that were started have ended.
  func closeWhenServed() async

  /// What has gone over the wire on its open connections. To be asked on its loop.
  var openWireBytes: WireBytes { get }
}

extension LoadClient {
  /// As `close` does, for clients that have no other way.
  public func abort() async { await close() }

  /// As `close` does, for clients whose calls don't wait for a connection.
  public func closeWhenServed() async { await close() }

  /// None: for clients without a network.
  public var openWireBytes: WireBytes { WireBytes() }
}

extension RPCClient: LoadClient {}

/// Makes the clients of a load.
public protocol LoadClientSource: Sendable {
  /// How many addresses of servers the clients are spread over, not counting Unix sockets: what the
  /// local ports are needed for.
  var addressCount: Int { get }

  /// A client that isn't connected yet and whose calls run on that loop.
  ///
  /// - Parameters:
  ///   - loop: one of the run's loops, by index.
  ///   - resumes: whether the connection may resume an earlier TLS session.
  ///   - onEvent: gets what happens to the connection, on its loop.
  func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void
  ) -> any LoadClient

  /// The same, for a client that tells the times of its answers, too.
  ///
  /// - Parameter onAnswer: gets them on the loop, before the call gets its answer.
  func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void,
    onAnswer: @escaping @Sendable (AnswerTimes) -> Void
  ) -> any LoadClient

  /// How many tickets for resumption its clients have got so far.
  var ticketsReceived: Int { get }
}

extension LoadClientSource {
  /// A client that tells nothing of its answers' times.
  public func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void,
    onAnswer: @escaping @Sendable (AnswerTimes) -> Void
  ) -> any LoadClient {
    makeClient(onLoop: loop, resumes: resumes, onEvent: onEvent)
  }

  /// None that are known.
  public var ticketsReceived: Int { 0 }
}

extension LoadClientSource {
  /// None: for clients that make no connections over a network.
  public var addressCount: Int { 0 }
}
