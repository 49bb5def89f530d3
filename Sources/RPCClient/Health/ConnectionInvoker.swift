import RPC
import RPCCore
import RPCTransport

/// Makes calls on one connection of a pool, whatever the pool would pick.
final class ConnectionInvoker: CallInvoker {
  private let connection: ClientConnection
  private let canceller: Canceller

  init(_ connection: ClientConnection) {
    self.connection = connection
    canceller = Canceller(connection)
  }

  var interceptors: [any ClientInterceptor] { [] }

  func start(_ call: OutgoingCall) {
    let fallback =
      call.isStream && call.method.shape.hasManyResponses
      ? nil : connection.configuration.defaultTimeout
    let timeout = call.options.timeout ?? fallback
    call.deadline = timeout.map { MonotonicInstant.now.advanced(by: $0) } ?? .distantFuture
    guard call.begin(canceller) else {
      call.finish()
      return call.failed(OutgoingCall.givenUp)
    }
    // Its place is on this connection: the pool mustn't open it on another one.
    call.attempts = .max / 2
    call.options.waitsForReady = false
    let connection = connection
    onLoop(of: connection) {
      guard connection.open(call) != .taken else { return connection.counters.asides.add(1) }
      call.finish()
      call.failed(
        RPCError(
          .unavailable, "the connection takes no more calls", phase: .queued, wasStarted: false))
    }
  }

  func cancel(_ call: OutgoingCall) { call.giveUp() }

  private final class Canceller: CallCanceller {
    private let connection: ClientConnection

    init(_ connection: ClientConnection) { self.connection = connection }

    func cancel(_ call: OutgoingCall) {
      let connection = connection
      onLoop(of: connection) { _ = connection.cancel(call) }
    }
  }
}

/// Runs work on a connection's loop: at once when this is it.
private func onLoop(of connection: ClientConnection, _ work: @escaping @Sendable () -> Void) {
  if connection.loop.isCurrent { work() } else { connection.loop.post(work) }
}
