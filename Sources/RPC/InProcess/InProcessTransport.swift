import RPCCore

/// Makes calls to services in the same process, without sockets.
///
/// Messages are encoded and decoded, and metadata, deadlines, cancellation, limits, interceptors
/// and authorization work as they do over a connection, so that a service can be tested without
/// one. Handlers run on Swift's shared executor.
public final class InProcessTransport: CallInvoker {
  /// What holds for every call.
  public struct Configuration: Sendable {
    /// For calls that say no timeout.
    public var defaultTimeout = Duration.seconds(10)

    /// Longer timeouts are cut to it.
    public var maximumTimeout = Duration.seconds(3600)

    /// The most bytes of an encoded message.
    public var messageLimit = 4 << 20

    /// What handlers see as the peer.
    public var peer = PeerInfo(address: "in-process")

    /// What deadlines are measured with.
    public var clock: any Clock<Duration> = SuspendingClock()

    /// Around the handlers, the first outermost.
    public var serverInterceptors: [any ServerInterceptor] = []

    /// Around the calls, the first outermost.
    public var clientInterceptors: [any ClientInterceptor] = []

    /// Gets the errors whose text callers don't get.
    public var onHiddenError: @Sendable (MethodDescriptor, any Error) -> Void = { _, _ in }

    /// The defaults of a server.
    public init() {}
  }

  let configuration: Configuration
  private let table: MethodTable

  /// Run around the calls of generated stubs.
  public var interceptors: [any ClientInterceptor] { configuration.clientInterceptors }

  /// Makes a transport to the registered methods.
  ///
  /// - Throws: `RegistrationError`, as starting a server does.
  public init(
    _ registry: MethodRegistry, configuration: Configuration = Configuration()
  ) throws(RegistrationError) {
    self.configuration = configuration
    table = try registry.table(interceptors: configuration.serverInterceptors)
  }

  public func start(_ call: OutgoingCall) {
    let exchange = InProcessExchange(call, configuration)
    guard call.begin(exchange) else {
      exchange.end(.failure(OutgoingCall.givenUp))
      return
    }
    let now = MonotonicInstant.now
    let deadline = deadline(of: call, now: now)
    guard deadline > now else {
      exchange.end(
        .failure(
          RPCError(
            .deadlineExceeded, "the call's deadline had passed before it was sent", phase: .queued,
            wasStarted: false)))
      return
    }
    Task { [table] in exchange.serve(table, deadline: deadline) }
  }

  private func deadline(of call: OutgoingCall, now: MonotonicInstant) -> MonotonicInstant {
    let fallback = call.method.shape.hasManyResponses ? nil : configuration.defaultTimeout
    guard let timeout = call.options.timeout ?? fallback else { return call.inheritedDeadline }
    return min(
      now.advanced(by: min(timeout, configuration.maximumTimeout)), call.inheritedDeadline)
  }

  public func cancel(_ call: OutgoingCall) { call.giveUp() }
}
