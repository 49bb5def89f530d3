import RPC
public import RPCClient
public import RPCTransport
import Synchronization

/// Real clients: one TLS connection each, spread over the targets in turn.
public final class NetworkClientSource: LoadClientSource {
  /// What a client needs for one of the targets. Each has its own sessions to resume: one server's
  /// ticket need not be good for another.
  private struct Place: Sendable {
    let endpoint: Endpoint
    let resuming: ClientTLS
    let configuration: ClientConfiguration
  }

  /// How many sessions are kept for each server at least, so that as many connections can be
  /// resumed at the same time.
  private static let leastSessions = 64

  private let places: [Place]
  private let fresh: ClientTLS
  private let groups: [EventLoopGroup]
  private let turn = Atomic(0)

  /// A source of clients.
  ///
  /// - Parameters:
  ///   - targets: where the servers are, at least one. The first connection goes to the first of
  ///     them, the next to the next.
  ///   - tls: whom to trust, and what to come with.
  ///   - groups: a group of one loop for each of the run's loops.
  ///   - timeout: how long a call may take, and how long connecting may.
  ///   - connectionsPerClient: at least 1, all to the client's target.
  /// - Throws: if a file of the TLS configuration can't be used.
  public init(
    targets: [LoadTarget], tls: ClientTLS.Configuration, groups: [EventLoopGroup],
    timeout: Duration, connectionsPerClient: Int = 1
  ) throws(TLSConfigurationError) {
    self.groups = groups
    var (resuming, fresh) = (tls, tls)
    resuming.sessionsPerServer = max(tls.sessionsPerServer, NetworkClientSource.leastSessions)
    fresh.sessionsPerServer = 0
    self.fresh = try ClientTLS(fresh)
    // Without policies: a call that fails counts as failed, and isn't made again.
    var configuration = ClientConfiguration()
    configuration.connections = max(1, connectionsPerClient)
    configuration.defaultTimeout = timeout
    configuration.connectTimeout = timeout
    var places: [Place] = []
    for target in targets {
      if let address = target.address { configuration.resolver = PinnedAddress(address: address) }
      places.append(
        Place(
          endpoint: target.endpoint, resuming: try ClientTLS(resuming),
          configuration: configuration))
    }
    self.places = places
  }

  /// A source of clients of one server, whose name each of them looks up by itself.
  ///
  /// - Parameters:
  ///   - endpoint: where the server is.
  ///   - tls: whom to trust, and what to come with.
  ///   - groups: a group of one loop for each of the run's loops.
  ///   - timeout: how long a call may take, and how long connecting may.
  ///   - connectionsPerClient: at least 1.
  /// - Throws: if a file of the TLS configuration can't be used.
  public convenience init(
    endpoint: Endpoint, tls: ClientTLS.Configuration, groups: [EventLoopGroup], timeout: Duration,
    connectionsPerClient: Int = 1
  ) throws(TLSConfigurationError) {
    try self.init(
      targets: [LoadTarget(endpoint)], tls: tls, groups: groups, timeout: timeout,
      connectionsPerClient: connectionsPerClient)
  }

  public var ticketsReceived: Int {
    places.reduce(fresh.ticketsReceived) { $0 + $1.resuming.ticketsReceived }
  }

  public var addressCount: Int {
    places.count { place in
      if case .unix = place.endpoint { false } else { true }
    }
  }

  public func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void
  ) -> any LoadClient {
    makeClient(onLoop: loop, resumes: resumes, onEvent: onEvent, onAnswer: nil)
  }

  public func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void,
    onAnswer: @escaping @Sendable (AnswerTimes) -> Void
  ) -> any LoadClient {
    makeClient(onLoop: loop, resumes: resumes, onEvent: onEvent, onAnswer: .some(onAnswer))
  }

  private func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void,
    onAnswer: (@Sendable (AnswerTimes) -> Void)?
  ) -> any LoadClient {
    let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    let place = places[Int(UInt(bitPattern: turn) % UInt(places.count))]
    var configuration = place.configuration
    configuration.onConnectionEvent = onEvent
    configuration.onAnswer = onAnswer
    return RPCClient(
      to: place.endpoint, tls: resumes ? place.resuming : fresh, group: groups[loop],
      configuration: configuration)
  }
}
