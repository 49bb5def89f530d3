public import RPC
import RPCCore
public import RPCTransport

/// One connection to a server, for callers that decide themselves when connections are made and
/// ended: load generators, handshake measurements. It doesn't reconnect.
///
/// Calls that are started on `loop` stay on it.
public final class RPCConnection: CallInvoker {
  /// The event loop that the connection lives on.
  public let loop: EventLoop

  /// How it was made.
  public let info: ConnectionInfo

  private let pool: ClientPool

  private init(_ pool: ClientPool, _ info: ConnectionInfo) {
    self.pool = pool
    self.info = info
    loop = pool.loop
  }

  /// Makes a connection.
  ///
  /// - Parameters:
  ///   - endpoint: Where the server is.
  ///   - tls: Whom to trust, what to come with, and the sessions to resume: those of earlier
  ///     connections that were made with the same object.
  ///   - loop: Where the connection is to live. May be called from any thread.
  ///   - configuration: Timeouts and limits; the number of connections and the back-off don't
  ///   count.
  ///   - completion: Called on the loop.
  public static func open(
    to endpoint: Endpoint, tls: ClientTLS, on loop: EventLoop,
    configuration: ClientConfiguration = ClientConfiguration(),
    completion: @escaping @Sendable (Result<RPCConnection, RPCError>) -> Void
  ) {
    let pool = ClientPool(
      loop, configuration, dialer: Dialer(tls, configuration),
      directory: AddressDirectory([endpoint], configuration.resolver), size: 1, reconnects: false)
    let open: @Sendable () -> Void = {
      pool.openAll { error in
        if let info = pool.ready.first?.info {
          completion(.success(RPCConnection(pool, info)))
        } else {
          completion(
            .failure(
              error ?? RPCError(.unavailable, "the connection ended at once", wasStarted: false)))
        }
      }
    }
    if loop.isCurrent { open() } else { loop.post(open) }
  }

  /// Makes a connection.
  ///
  /// - Throws: `RPCError` UNAVAILABLE, whose phase says how far the attempt came.
  public static func open(
    to endpoint: Endpoint, tls: ClientTLS, on loop: EventLoop,
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(RPCError) -> RPCConnection {
    let result = await withUnsafeContinuation { continuation in
      open(to: endpoint, tls: tls, on: loop, configuration: configuration) {
        continuation.resume(returning: $0)
      }
    }
    return try result.get()
  }

  deinit { close() }

  /// Run around the calls of generated stubs.
  public var interceptors: [any ClientInterceptor] { pool.configuration.interceptors }

  public func start(_ call: OutgoingCall) { pool.begin(call) }

  public func cancel(_ call: OutgoingCall) { call.giveUp() }

  /// Takes no more calls, and ends the connection when those on their way have ended. From any
  /// thread.
  ///
  /// - Parameter completion: Called on the loop when the connection has ended.
  public func close(_ completion: @escaping @Sendable () -> Void = {}) {
    let pool = pool
    if loop.isCurrent { pool.close(completion) } else { loop.post { pool.close(completion) } }
  }
}
