import Flags
import OnsideProto
import RPC
import RPCClient
import RPCTransport
import Synchronization

/// `rpc-bench probe`: calls at a steady pace, whatever becomes of those before, and the latency of
/// each from the moment it was due.
final class ProbeBench: Sendable {
  private static let target = Flag(required: "target", .hostPort(), help: "where the server is")
  private static let ca = Flag(required: "ca", .file, help: "the certificates to trust (PEM)")
  private static let app = Flag(
    "app", .text("ID"), default: "com.example.shop", help: "the app to sign in to")
  private static let interval = Flag(
    "interval", .seconds(in: 0.0001...1), default: 0.001, help: "from one call to the next")
  private static let duration = Flag(
    "duration", .seconds(in: 0.1...3_600), default: 3, help: "how long calls are made")

  static let command = Command(
    "probe", summary: "A lone caller's latency, call by call.",
    discussion: """
      CreateSession of one known user. "samples" are pairs of when a call was due, in microseconds \
      of the system's monotonic clock, and its latency in microseconds.
      """,
    elements: [target, ca, app, interval, duration])

  private let arguments: ParsedArguments
  private let outcomes = Mutex((samples: [(due: Int64, latency: Int64)](), failed: 0))

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  /// Measures.
  ///
  /// - Returns: A JSON object.
  func run() async throws -> String {
    let group = try EventLoopGroup(loops: 1)
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(arguments[Self.ca])
    let client = RPCClient(
      to: try Endpoint(arguments[Self.target]), tls: try ClientTLS(tls), group: group)
    let request = CreateSessionRequest(
      appID: arguments[Self.app], credential: .externalUserID("probe"))
    // Makes the user known, and the connection.
    _ = try await LoginServiceClient(client).createSession(request)
    await load(LoginServiceClient(client), request)
    await client.close()
    await group.shutdown()
    return json
  }

  private func load(_ stub: LoginServiceClient, _ request: CreateSessionRequest) async {
    let interval = Duration.seconds(arguments[Self.interval])
    let count = Int(arguments[Self.duration] / arguments[Self.interval])
    let (clock, start) = (ContinuousClock.now, MonotonicInstant.now)
    await withTaskGroup { group in
      for number in 0..<max(1, count) {
        let offset = interval * number
        try? await Task.sleep(until: clock + offset, tolerance: .zero, clock: .continuous)
        group.addTask { await self.call(stub, request, due: start.advanced(by: offset)) }
      }
    }
  }

  private func call(
    _ stub: LoginServiceClient, _ request: CreateSessionRequest, due: MonotonicInstant
  ) async {
    do throws(RPCError) {
      _ = try await stub.createSession(request)
      let latency = MonotonicInstant.now.nanoseconds(since: due) / 1000
      outcomes.withLock { $0.samples.append((due.nanoseconds / 1000, latency)) }
    } catch {
      outcomes.withLock { $0.failed += 1 }
    }
  }

  private var json: String {
    let (samples, failed) = outcomes.withLock { $0 }
    let pairs = samples.sorted { $0.due < $1.due }.map { "[\($0.due),\($0.latency)]" }
    return "{\"failed\":\(failed),\"samples\":[\(pairs.joined(separator: ","))]}"
  }
}
