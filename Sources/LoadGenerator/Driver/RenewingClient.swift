import RPC
import RPCTransport

/// A client that makes a new connection after so many calls. The old one ends with its last call.
/// Confined to its loop while it makes calls.
final class RenewingClient: LoadClient, @unchecked Sendable {
  let interceptors: [any ClientInterceptor] = []
  /// Makes a client whose calls run on the loop.
  typealias Maker = @Sendable (_ resumes: Bool, _ watch: ConnectionWatch) -> any LoadClient

  private let calls: Int
  private let loop: EventLoop
  private let make: Maker
  private let driver: LoadDriver
  private var current: any LoadClient
  private var watch = ConnectionWatch()
  private var callsLeft: Int

  /// - Parameter driver: of its loop; it says which of the connections after the first resume a
  ///   TLS session.
  init(calls: Int, driver: LoadDriver, make: @escaping Maker) {
    self.calls = max(1, calls)
    self.driver = driver
    loop = driver.loop
    self.make = make
    // The first brings the TLS session that the others resume.
    current = make(driver.resumption.isUsed, watch)
    callsLeft = self.calls
  }

  func connect() async throws(RPCError) { try await current.connect() }

  func close() async { await present().close() }

  func abort() async { await present().abort() }

  private func present() async -> any LoadClient {
    await withCheckedContinuation { continuation in
      loop.post { continuation.resume(returning: self.current) }
    }
  }

  var openWireBytes: WireBytes { current.openWireBytes }

  func start(_ call: OutgoingCall) {
    guard loop.isCurrent else { return loop.post { self.start(call) } }
    if callsLeft == 0 { renew() }
    callsLeft -= 1
    current.start(call)
  }

  func cancel(_ call: OutgoingCall) { call.giveUp() }

  /// The calls that are under way don't keep the next one waiting.
  private func renew() {
    let old = current
    watch.expectsEnd = true
    driver.lanes[0].connectionLeaves()
    watch = ConnectionWatch()
    current = make(driver.resumption.take(), watch)
    callsLeft = calls
    Task { await old.closeWhenServed() }
  }
}

/// Whether a connection's end is this side's will. Confined to its loop.
final class ConnectionWatch: @unchecked Sendable {
  var expectsEnd = false
}
