import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import RPCServer
import RPCTransport
import Synchronization

/// Tells administrators what the server is, has used and has counted.
final class OperationsHandlers: OperationsService {
  private let version: String
  private let loops: Int
  private let store: any Store
  private let clock: ServiceClock
  private let startedAt: Int64
  private let started: MonotonicInstant

  /// The server that is told about: made after its handlers. Nil: it isn't made yet.
  private let server = Mutex<Server?>(nil)

  /// - Parameters:
  ///   - version: The program's name and version.
  ///   - loops: How many event loops the server has.
  init(version: String, loops: Int, store: any Store, clock: ServiceClock) {
    self.version = version
    self.loops = loops
    self.store = store
    self.clock = clock
    startedAt = clock.wall().milliseconds
    started = clock.monotonic()
  }

  /// Names the server whose state is told from now on.
  func tell(of server: Server) {
    self.server.withLock { $0 = server }
  }

  /// Who may call the methods: administrators, all of them.
  static func rules(_ administrators: Administrators) -> [MethodDescriptor: AuthorizationRule] {
    let rule = administrators.rule
    return Dictionary(uniqueKeysWithValues: descriptor.methods.map { ($0, rule) })
  }

  func getServerStatus(
    _ request: GetServerStatusRequest, context: ServerContext
  ) async throws -> GetServerStatusResponse {
    guard let metrics = server.withLock({ $0?.metrics }) else {
      throw RPCError(.unavailable, "the server is starting")
    }
    let uptime = clock.monotonic().nanoseconds - started.nanoseconds
    return GetServerStatusResponse(
      version: version, build: Self.build, startedAtMs: startedAt, uptimeMs: uptime / 1_000_000,
      tlsLibrary: TLSLibrary.version, eventLoops: Int32(clamping: loops),
      usableCores: Int32(clamping: OwnProcess.usableProcessors), store: StoreStatus(of: store),
      process: ProcessStatus(.current()), connections: ConnectionStatus(metrics),
      methods: metrics.methods.sorted { $0.key < $1.key }.map(MethodStatus.init),
      metricsJson: metrics.json)
  }

  /// `release` or `debug`, and the beginning of what the linker has named the build.
  private static let build: String = {
    var isDebug = false
    // Evaluated where assertions are.
    assert(
      {
        isDebug = true
        return true
      }())
    let kind = isDebug ? "debug" : "release"
    return OwnProcess.buildID.map { "\(kind) \($0.prefix(12))" } ?? kind
  }()
}
