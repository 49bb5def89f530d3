import Flags
import RPC
import RPCClient
import RPCProto
import RPCServer
import RPCTransport
import Synchronization

/// `rpc-bench deadline`: how late calls end whose deadline passes, many at the same moment.
///
/// A method that never answers by itself is called over TLS on one connection, many times at once;
/// as many calls run as there are slots, the rest wait in the client. Server and client are in one
/// process, each with a loop of its own, so that both ends are measured by one clock.
final class DeadlineBench: Sendable {
  private static let certificate = Flag(
    required: "certificate", .file, help: "the server's certificate; the client trusts it (PEM)")
  private static let key = Flag(
    required: "key", .file, help: "the certificate's private key (PEM)")
  private static let calls = Flag(
    "calls", .integer(in: 1...9_000), default: 1_000, help: "calls at a time")
  private static let slots = Flag(
    "slots", .integer(in: 1...9_000), default: 1_000, help: "how many of them run at a time")
  private static let timeout = Flag(
    "timeout", .seconds(in: 0.01...60), default: 0.5, help: "of each call")
  private static let rounds = Flag(
    "rounds", .integer(in: 1...1_000), default: 5, help: "how often all calls are made")

  static let command = Command(
    "deadline", summary: "How late calls end whose deadline passes.",
    discussion: """
      "caller" is when the caller had the error, "server" when the server had answered, or the \
      caller's CANCEL had come, and the handler was cancelled; both as the time after the deadline.
      """,
    elements: [certificate, key, calls, slots, timeout, rounds])

  private let arguments: ParsedArguments
  private let caller = LatenessRecord()
  private let server = LatenessRecord()
  /// Calls that ended otherwise, and handlers that were started after their deadline.
  private let others = OutcomeCounts()

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  /// Measures.
  ///
  /// - Returns: A JSON object.
  func run() async throws -> String {
    let groups = (try EventLoopGroup(loops: 1), try EventLoopGroup(loops: 1))
    let server = try makeServer(groups.0)
    let listener = try server.listen(
      on: .host("127.0.0.1", port: 0),
      tls: try ServerTLS(
        .init(
          certificateFile: arguments[Self.certificate], keyFile: arguments[Self.key],
          applicationProtocols: [RPCProtocol.name])))
    let client = try makeClient(listener.localAddress.port, groups.1)
    try await client.connect()
    for _ in 0..<arguments[Self.rounds] { await round(client) }
    await client.close()
    await server.drain(within: .seconds(10))
    for group in [groups.0, groups.1] { await group.shutdown() }
    return json
  }

  /// The server looks at the clock last, and then the handler does: what runs out in between has
  /// begun in time. In nanoseconds, with room for the thread to lose its processor.
  private static let handover: Int64 = 1_000_000

  private func makeServer(_ group: EventLoopGroup) throws -> Server {
    var registry = MethodRegistry()
    let (server, others) = (server, others)
    registry.unary(RPCHealthMethods.check) {
      (_: RPCHealthCheckRequest, context: ServerContext) -> RPCHealthCheckResponse in
      let late = MonotonicInstant.now.nanoseconds(since: context.deadline)
      if late > Self.handover { others.count("started after its deadline") }
      context.onCancellation { reason in
        // The caller's own clock may be first: then its CANCEL comes, and that is as good.
        guard reason != .connectionLost else { return others.count("\(reason)") }
        server.add(nanoseconds: MonotonicInstant.now.nanoseconds(since: context.deadline))
      }
      try await Task.sleep(for: .seconds(600))
      return RPCHealthCheckResponse()
    }
    registry.authorize(RPCHealthMethods.check, .anyone)
    var configuration = ServerConfiguration()
    configuration.connection.maximumConcurrentCalls = arguments[Self.slots]
    return try Server(registry, configuration: configuration, group: group)
  }

  private func makeClient(_ port: UInt16, _ group: EventLoopGroup) throws -> RPCClient {
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(arguments[Self.certificate])
    return RPCClient(to: .host("127.0.0.1", port: port), tls: try ClientTLS(tls), group: group)
  }

  /// Makes all calls at once, and waits for their ends.
  private func round(_ client: RPCClient) async {
    let timeout = Duration.seconds(arguments[Self.timeout])
    let method = RPCHealthClient(client)
    let (caller, others) = (caller, others)
    await withTaskGroup { group in
      for _ in 0..<arguments[Self.calls] {
        group.addTask {
          let deadline = MonotonicInstant.now.advanced(by: timeout)
          do throws(RPCError) {
            _ = try await method.check(
              RPCHealthCheckRequest(), options: CallOptions(timeout: timeout))
            others.count("answered")
          } catch {
            guard error.code == .deadlineExceeded else { return others.count("\(error.code)") }
            caller.add(nanoseconds: MonotonicInstant.now.nanoseconds(since: deadline))
          }
        }
      }
    }
  }

  private var json: String {
    """
    {"calls":\(arguments[Self.calls]),"slots":\(arguments[Self.slots]),\
    "rounds":\(arguments[Self.rounds]),"caller":\(caller.json),"server":\(server.json),\
    "failed":\(others.total),"failures":\(others.json)}
    """
  }
}

/// How often things happened, by name.
private final class OutcomeCounts: Sendable {
  private let counts = Mutex([String: Int]())

  func count(_ outcome: String) {
    counts.withLock { $0[outcome, default: 0] += 1 }
  }

  var total: Int { counts.withLock { $0.values.reduce(0, +) } }

  var json: String {
    let counts = counts.withLock { $0.sorted { $0.key < $1.key } }
    return "{" + counts.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }
}
