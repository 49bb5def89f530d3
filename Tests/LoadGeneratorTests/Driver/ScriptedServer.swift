import ProtobufWire
import RPC
@testable import RPCClient
import RPCTransport
import Synchronization

@testable import LoadGenerator

/// Clients whose calls are answered by a script, on the loop, without a network.
final class ScriptedServer: LoadClientSource {
  indirect enum Reply: Sendable {
    /// After so long.
    case later(Reply, Duration)
    case message([UInt8])
    case refused(RPCError)
    case never
  }

  typealias Script = @Sendable (_ method: String, _ request: [UInt8], _ number: Int) -> Reply

  struct Record: Sendable {
    var requests: [(method: String, bytes: [UInt8])] = []
    var connections: [Bool] = []
    var closed = 0
    var aborted = 0
  }

  let record = Mutex(Record())
  let loops: [EventLoop]
  let connectError: RPCError?
  private let script: Script
  private let onRequest: @Sendable (Int) -> Void
  private let onCall: @Sendable (OutgoingCall) -> Void

  init(
    loops: [EventLoop], connectError: RPCError? = nil,
    onRequest: @escaping @Sendable (Int) -> Void = { _ in },
    onCall: @escaping @Sendable (OutgoingCall) -> Void = { _ in }, script: @escaping Script
  ) {
    self.loops = loops
    self.connectError = connectError
    self.onRequest = onRequest
    self.onCall = onCall
    self.script = script
  }

  var requests: [(method: String, bytes: [UInt8])] { record.withLock { $0.requests } }

  func count(_ method: String) -> Int { requests.count { $0.method == method } }

  func makeClient(
    onLoop loop: Int, resumes: Bool, onEvent: @escaping @Sendable (ConnectionEvent) -> Void
  ) -> any LoadClient {
    ScriptedClient(server: self, loop: loops[loop], resumes: resumes, onEvent: onEvent)
  }

  fileprivate func answer(_ call: OutgoingCall) -> Reply {
    let size = call.requestSize()
    var bytes = [UInt8](repeating: 0, count: size)
    bytes.withUnsafeMutableBytes { call.encodeRequest(into: $0) }
    let method = call.method.path
    let number = record.withLock { record in
      record.requests.append((method, bytes))
      return record.requests.count
    }
    onRequest(number)
    onCall(call)
    return script(method, bytes, number)
  }
}

private final class ScriptedClient: LoadClient, @unchecked Sendable {
  let interceptors: [any ClientInterceptor] = []
  private let server: ScriptedServer
  private let loop: EventLoop
  private let resumes: Bool
  private let onEvent: @Sendable (ConnectionEvent) -> Void
  private var isOpen = false

  init(
    server: ScriptedServer, loop: EventLoop, resumes: Bool,
    onEvent: @escaping @Sendable (ConnectionEvent) -> Void
  ) {
    self.server = server
    self.loop = loop
    self.resumes = resumes
    self.onEvent = onEvent
  }

  func connect() async throws(RPCError) {
    if let error = server.connectError { throw error }
    await withCheckedContinuation { continuation in
      loop.post {
        self.open()
        continuation.resume()
      }
    }
  }

  func close() async {
    server.record.withLock { $0.closed += 1 }
  }

  func start(_ call: OutgoingCall) {
    loop.post {
      self.open()
      self.give(self.server.answer(call), to: call)
    }
  }

  private func give(_ reply: ScriptedServer.Reply, to call: OutgoingCall) {
    switch reply {
    case .message(let bytes):
      bytes.withUnsafeBytes { call.succeeded($0, trailingMetadata: Metadata()) }
    case .refused(let error): call.failed(error)
    case .never: break
    case .later(let reply, let delay):
      loop.schedule(at: .current().advanced(by: delay)) { self.give(reply, to: call) }
    }
  }

  func abort() async {
    server.record.withLock { $0.aborted += 1 }
  }

  func cancel(_ call: OutgoingCall) {}

  private func open() {
    guard !isOpen else { return }
    isOpen = true
    server.record.withLock { $0.connections.append(resumes) }
    onEvent(
      .opened(
        ConnectionInfo(
          address: "script", security: "TLSv1.3", isResumed: resumes,
          duration: .microseconds(100))))
  }
}

/// Loops that are shut down after a test.
func withLoops<Result>(
  _ count: Int = 1, _ body: ([EventLoop]) async throws -> Result
) async throws -> Result {
  let group = try EventLoopGroup(loops: count)
  do {
    let result = try await body(group.loops)
    await group.shutdown()
    return result
  } catch {
    await group.shutdown()
    throw error
  }
}
