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
}

extension RPCClient: LoadClient {}

/// Makes the clients of a load.
public protocol LoadClientSource: Sendable {
  /// A client that isn't connected yet and whose calls run on that loop.
  ///
  /// - Parameters:
  ///   - loop: one of the run's loops, by index.
  ///   - resumes: whether the connection may resume an earlier TLS session.
  ///   - onEvent: gets what happens to the connection, on its loop.
  func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void
  ) -> any LoadClient
}

/// Real clients: one TLS connection each, to one server.
public struct NetworkClientSource: LoadClientSource {
  private let endpoint: Endpoint
  private let resuming: ClientTLS
  private let fresh: ClientTLS
  private let groups: [EventLoopGroup]
  private let configuration: ClientConfiguration

  /// A source of clients.
  ///
  /// - Parameters:
  ///   - endpoint: where the server is.
  ///   - tls: whom to trust, and what to come with.
  ///   - groups: a group of one loop for each of the run's loops.
  ///   - timeout: how long a call may take, and how long connecting may.
  /// - Throws: if a file of the TLS configuration can't be used.
  public init(
    endpoint: Endpoint, tls: ClientTLS.Configuration, groups: [EventLoopGroup], timeout: Duration
  ) throws(TLSConfigurationError) {
    self.endpoint = endpoint
    self.groups = groups
    var tls = tls
    tls.sessionsPerServer = max(tls.sessionsPerServer, 64)
    resuming = try ClientTLS(tls)
    tls.sessionsPerServer = 0
    fresh = try ClientTLS(tls)
    var configuration = ClientConfiguration()
    configuration.connections = 1
    configuration.defaultTimeout = timeout
    configuration.connectTimeout = timeout
    self.configuration = configuration
  }

  public func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void
  ) -> any LoadClient {
    var configuration = configuration
    configuration.onConnectionEvent = onEvent
    return RPCClient(
      to: endpoint, tls: resumes ? resuming : fresh, group: groups[loop],
      configuration: configuration)
  }
}
