import Foundation
import OnsideProto
import RPC
import RPCServer
import RPCTransport
import Synchronization

@testable import LoadGenerator

/// A real server with the login service alone, on a free port, over TLS.
final class LoginServer: Sendable {
  let group: EventLoopGroup
  let server: Server
  let listener: Listener
  let certificates: TestCertificates
  private let logins: Logins

  /// - Parameter other: knows the same users and gives no token that this one gives.
  init(
    refusing refusal: RPCError? = nil, sharing other: LoginServer? = nil,
    asksForCertificates: Bool = false,
    certificate: String = "server", at endpoint: Endpoint = .host("127.0.0.1", port: 0)
  ) async throws {
    certificates = try await TestCertificates.shared.value
    group = try EventLoopGroup(loops: 1)
    var registry = MethodRegistry()
    logins = other?.logins ?? Logins(refusal: refusal)
    registry.add(logins)
    for method in LoginServiceMethods.descriptor.methods { registry.authorize(method, .anyone) }
    server = try Server(registry, configuration: ServerConfiguration(), group: group)
    var tls = ServerTLS.Configuration(
      certificateFile: certificates.path(certificate + ".pem"),
      keyFile: certificates.path(certificate + ".key"),
      applicationProtocols: ["onside/1"])
    tls.clientCAFile = asksForCertificates ? certificates.path("ca.pem") : nil
    listener = try server.listen(on: endpoint, tls: try ServerTLS(tls))
  }

  var port: UInt16 { listener.localAddress.port }

  /// Connections that were made to it.
  var accepted: Int { listener.counters.accepted }

  /// Sessions that it has made.
  var sessions: Int { logins.sessions }

  /// Ends it at once, with all connections.
  func kill() async { await group.shutdown() }

  func stop() async {
    await server.drain(within: .seconds(5))
    await group.shutdown()
  }

  /// A source of clients that trust the test's CA, or another one.
  func source(
    _ group: EventLoopGroup, ca: String = "ca.pem", name: String? = nil, port: UInt16? = nil,
    connectionsPerClient: Int = 1
  ) throws -> NetworkClientSource {
    var tls = ClientTLS.Configuration(applicationProtocols: ["onside/1"])
    tls.trust = .file(certificates.path(ca))
    tls.serverName = name
    return try NetworkClientSource(
      endpoint: .host("127.0.0.1", port: port ?? self.port), tls: tls, groups: [group],
      timeout: .seconds(10), connectionsPerClient: connectionsPerClient)
  }
}

/// Runs a test with a server and a group of one loop for its clients.
func withLoginServer<Result>(
  refusing refusal: RPCError? = nil, _ body: (LoginServer, EventLoopGroup) async throws -> Result
) async throws -> Result {
  let server = try await LoginServer(refusing: refusal)
  let group = try EventLoopGroup(loops: 1)
  do {
    let result = try await body(server, group)
    await group.shutdown()
    await server.stop()
    return result
  } catch {
    await group.shutdown()
    await server.stop()
    throw error
  }
}

/// Sessions from memory.
private final class Logins: LoginService {
  private let users = Mutex<Set<String>>([])
  private let tokens = Mutex<[String: String]>([:])
  private let count = Atomic(0)

  var sessions: Int { count.load(ordering: .relaxed) }
  private let refusal: RPCError?

  init(refusal: RPCError?) {
    self.refusal = refusal
  }

  func createSession(
    _ request: CreateSessionRequest, context: ServerContext
  ) async throws -> CreateSessionResponse {
    if let refusal { throw refusal }
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let isNew = users.withLock { $0.insert(request.externalUserID ?? "").inserted }
    tokens.withLock { $0["Bearer token-\(number)"] = request.externalUserID }
    return CreateSessionResponse(
      sessionToken: "token-\(number)", profileID: "00000000-0000-4000-8000-000000000000",
      created: isNew, expiresAtMs: 1, storefrontCountry: "DE")
  }

  func getProfile(
    _ request: GetProfileRequest, context: ServerContext
  ) async throws -> GetProfileResponse {
    let token = context.metadata.first("authorization") ?? ""
    return GetProfileResponse(
      profile: Profile(
        profileID: "00000000-0000-4000-8000-000000000000", kind: .external,
        externalUserID: tokens.withLock { $0[token] } ?? ""))
  }

  func endSession(
    _ request: EndSessionRequest, context: ServerContext
  ) async throws -> EndSessionResponse {
    EndSessionResponse()
  }

  // The load generator makes no logins of these kinds.

  func sendPhoneCode(
    _ request: SendPhoneCodeRequest, context: ServerContext
  ) async throws -> SendPhoneCodeResponse {
    throw RPCError(.unimplemented, "no phone logins here")
  }

  func beginStoreLogin(
    _ request: BeginStoreLoginRequest, context: ServerContext
  ) async throws -> BeginStoreLoginResponse {
    throw RPCError(.unimplemented, "no logins through the store app here")
  }
}

/// Certificates in temporary folders, made once with the project's script.
struct TestCertificates: Sendable {
  let folder: String

  static let shared = Task { try await TestCertificates() }

  private init() async throws {
    folder = FileManager.default.temporaryDirectory.path + "/onside-load-tests-\(getpid())"
    for part in [folder, folder + "/other"] {
      let output = try await runProgram("/bin/sh", [packageRoot + "/Scripts/certs.sh", part])
      guard output.status == 0 else { throw ProgramFailed(text: output.error) }
    }
    TestCertificates.remove.withLock { $0 = folder }
    atexit {
      TestCertificates.remove.withLock { try? FileManager.default.removeItem(atPath: $0) }
    }
  }

  private static let remove = Mutex("")

  func path(_ name: String) -> String { folder + "/" + name }
}
