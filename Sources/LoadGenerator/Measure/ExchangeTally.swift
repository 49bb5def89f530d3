import ProtobufWire
import RPC
import Synchronization

/// Calls of one method, as this side knows them.
struct ExchangeCounts: Sendable, Equatable {
  /// Handed to the connection; all of the below.
  var started = 0

  /// Answered with OK.
  var ok = 0

  /// Answered with another status.
  var refused = 0

  /// Certainly never started by the server: no connection, no free slot, a drain.
  var unstarted = 0

  /// Neither: the server may have started and answered them, and the reply was lost.
  var lost: Int { started - ok - refused - unstarted }

  mutating func add(_ other: ExchangeCounts) {
    started += other.started
    ok += other.ok
    refused += other.refused
    unstarted += other.unstarted
  }

  /// Counts the end of a call.
  mutating func count(_ error: RPCError?) {
    switch error {
    case nil: ok += 1
    case let error? where error.phase == .answered && error.cause == nil: refused += 1
    // The server said OK, and what it sent can't be read.
    case let error? where error.phase == .answered: ok += 1
    case let error? where !error.wasStarted: unstarted += 1
    default: break
    }
  }
}

/// Counts the calls of generated stubs by method, and lets some of them ask for the service time.
final class ExchangeTally: ClientInterceptor {
  private struct State {
    var counts: [String: ExchangeCounts] = [:]
    var calls: UInt64 = 0
  }

  private let state = Mutex(State())
  private let sampling: ServiceTimeSampling

  init(_ sampling: ServiceTimeSampling) {
    self.sampling = sampling
  }

  /// By the method's path.
  var counts: [String: ExchangeCounts] { state.withLock { $0.counts } }

  /// Counts a call that is made otherwise.
  func began(_ method: MethodDescriptor) {
    state.withLock { $0.counts[method.path, default: ExchangeCounts()].started += 1 }
  }

  /// Counts the end of a call; nil: it was answered with OK.
  func ended(_ method: MethodDescriptor, _ error: RPCError?) {
    state.withLock { $0.counts[method.path, default: ExchangeCounts()].count(error) }
  }

  private func begin(_ method: MethodDescriptor, _ options: CallOptions) -> CallOptions {
    let asks = state.withLock { state in
      state.counts[method.path, default: ExchangeCounts()].started += 1
      state.calls += 1
      return sampling.period > 0 && (state.calls - 1) % sampling.period == 0
    }
    return asks ? options.askingServiceTime : options
  }

  func intercept<Request: Message, Response: Message>(
    _ request: Request, method: MethodDescriptor, options: CallOptions,
    next: @Sendable (Request, CallOptions) async throws(RPCError) -> ClientResponse<Response>
  ) async throws(RPCError) -> ClientResponse<Response> {
    let options = begin(method, options)
    do throws(RPCError) {
      let response = try await next(request, options)
      ended(method, nil)
      return response
    } catch {
      ended(method, error)
      throw error
    }
  }

  func interceptStream(
    method: MethodDescriptor, options: CallOptions
  ) throws(RPCError) -> InterceptedStream {
    _ = begin(method, options)
    // Of streams the end is the load's own doing: it says nothing about the server's counters.
    return InterceptedStream(options: options)
  }
}

/// An invoker whose calls are counted.
struct TalliedInvoker: CallInvoker {
  let base: any CallInvoker
  let tally: ExchangeTally

  var interceptors: [any ClientInterceptor] { [tally] + base.interceptors }

  func start(_ call: OutgoingCall) { base.start(call) }

  func cancel(_ call: OutgoingCall) { base.cancel(call) }
}
