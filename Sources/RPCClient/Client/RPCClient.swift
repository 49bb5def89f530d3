public import RPC
import RPCCore
public import RPCTransport
import Synchronization

/// Calls the services of a server over a pool of TLS connections.
///
/// Connections are made when a call needs one, and made again, with back-off, after they are lost.
/// A call that is started on one of the client's event loops stays on it: request, response and
/// completion.
public final class RPCClient: CallInvoker {
  // What each call passes by comes first, and the large configuration last: where there are many
  // clients, what a call costs is the memory that it has to fetch.
  private let pools: [ClientPool]
  private let turn = Atomic<Int>(0)

  /// Nil when every call is sent once.
  private let repetition: Repetition?

  /// How the client connects and what its calls may take.
  public let configuration: ClientConfiguration

  /// Makes a client, which connects when the first call needs it.
  ///
  /// - Parameters:
  ///   - endpoint: Where the server is: a literal, or a name with any number of addresses.
  ///   - tls: Whom to trust, and what to come with.
  ///   - group: The event loops to use; the client doesn't shut them down.
  ///   - configuration: Connections, timeouts, retries, interceptors.
  public convenience init(
    to endpoint: Endpoint, tls: ClientTLS, group: EventLoopGroup,
    configuration: ClientConfiguration = ClientConfiguration()
  ) {
    self.init(to: [endpoint], tls: tls, group: group, configuration: configuration)
  }

  /// Makes a client of several servers that do the same, which connects when the first call needs
  /// it.
  ///
  /// - Parameters:
  ///   - endpoints: Where the servers are, in the order of preference. Each has to prove that it is
  ///     the host that its endpoint names.
  ///   - tls: Whom to trust, and what to come with.
  ///   - group: The event loops to use; the client doesn't shut them down.
  ///   - configuration: Connections, timeouts, retries, interceptors. `balancing` says which of
  ///     the addresses are used.
  public init(
    to endpoints: [Endpoint], tls: ClientTLS, group: EventLoopGroup,
    configuration: ClientConfiguration = ClientConfiguration()
  ) {
    self.configuration = configuration
    repetition = Repetition(configuration)
    let dialer = Dialer(tls, configuration)
    let directory = AddressDirectory(endpoints, configuration.resolver)
    let count = max(1, configuration.connections)
    pools = group.loops.prefix(count).enumerated().map { index, loop in
      let used = min(count, group.loops.count)
      let size = count / used + (index < count % used ? 1 : 0)
      return ClientPool(loop, configuration, dialer: dialer, directory: directory, size: size)
    }
  }

  /// Run around the calls of generated stubs.
  public var interceptors: [any ClientInterceptor] { configuration.interceptors }

  /// What was counted up to now.
  public var metrics: ClientMetrics {
    var sum = ClientMetrics()
    for pool in pools { pool.counters.add(to: &sum) }
    return sum
  }

  /// What has gone over the wire on the connections that are open on the event loop that this runs
  /// on. Those that have ended tell it in ``ConnectionEvent/closed(_:_:)``.
  public var openWireBytes: WireBytes {
    var sum = WireBytes()
    for pool in pools where pool.loop.isCurrent {
      for member in pool.members.values { sum += member.connection.channel.wireBytes }
    }
    return sum
  }

  /// Makes all connections now, and keeps them made.
  ///
  /// - Throws: Why the first attempt failed that did; the client goes on trying.
  public func connect() async throws(RPCError) {
    for pool in pools {
      let error = await withCheckedContinuation { continuation in
        pool.loop.post { pool.openAll { continuation.resume(returning: $0) } }
      }
      if let error { throw error }
    }
  }

  public func start(_ call: OutgoingCall) {
    let pool = pool()
    if let repetition, repetition.start(call, on: pool) { return }
    pool.begin(call)
  }

  public func cancel(_ call: OutgoingCall) { call.giveUp() }

  /// The pool of the loop that this runs on, else one in turn.
  private func pool() -> ClientPool {
    guard pools.count > 1 else { return pools[0] }
    for pool in pools where pool.loop.isCurrent { return pool }
    let turn = turn.wrappingAdd(1, ordering: .relaxed).newValue
    return pools[Int(UInt(bitPattern: turn) % UInt(pools.count))]
  }

  deinit {
    for pool in pools { pool.loop.post { pool.close {} } }
  }

  /// Takes no more calls: all that were started end as they would have, those that wait for a
  /// connection too, and then the connections are closed.
  public func closeWhenServed() async {
    for pool in pools {
      await withCheckedContinuation { continuation in
        pool.loop.post { pool.closeWhenServed { continuation.resume() } }
      }
    }
  }

  /// Closes the connections at once: all calls fail, those on their way too.
  public func abort() async {
    for pool in pools {
      await withCheckedContinuation { continuation in
        pool.loop.post {
          pool.close { continuation.resume() }
          pool.closeMembers()
        }
      }
    }
  }

  /// Fails the calls that wait, lets those that are on their way end, and closes the connections.
  public func close() async {
    for pool in pools {
      await withCheckedContinuation { continuation in
        pool.loop.post { pool.close { continuation.resume() } }
      }
    }
  }
}
