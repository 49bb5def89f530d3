import Foundation
import OnsideProto
import RPC
import RPCClient
import Synchronization
import Testing

/// Constant load while connections end by age and certificates are replaced: no caller sees an
/// error, and the server keeps no memory and no descriptor.
///
/// Six seconds long, or as long as SOAK_SECONDS in the environment says (`make soak`).
@Suite("Soak")
struct SoakTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap { Double($0) } ?? 6

  /// What a server may take more at the end than when it was warm.
  private static let slack = 16 * 1024 * 1024

  /// Descriptors that the system's libraries open when they are first needed.
  private static let lateFiles = 4

  @Test("Age of 1 s, a new certificate every 2 s: no errors; memory and descriptors stay flat")
  func constantLoad() async throws {
    let certificates = try await RotatingCertificates()
    let workspace = try await Workspace(certificates: certificates.folder)
    let server = try await ServerUnderTest(
      workspace, ["--max-connection-age", "1", "--certificate-check-interval", "0.2"])
    let filesAlone = server.openFiles
    var clients: [ClientUnderTest] = []
    for _ in 0..<4 { clients.append(try ClientUnderTest(server, workspace)) }
    let load = SoakLoad(clients.map(\.client))

    let end = ContinuousClock.now + .seconds(Self.seconds)
    var (replaced, warmBytes) = (0, 0)
    while ContinuousClock.now < end, load.errors.isEmpty {
      try await Task.sleep(for: .seconds(2))
      replaced += 1
      try certificates.use(replaced % 2)
      await server.waitForLog("certificates were read again", times: replaced)
      if replaced == 1 { warmBytes = server.residentBytes }
    }
    let calls = await load.stop()
    let bytes = server.residentBytes
    let opened = clients.map(\.client.metrics.openedConnections)
    for client in clients { await client.close() }

    #expect(load.errors.map { "\($0)" } == [])
    #expect(calls > 0)
    #expect(opened.allSatisfy { $0 > 2 }, "\(opened)")
    #expect(bytes < warmBytes + Self.slack, "\(warmBytes) bytes have become \(bytes)")
    while server.openFiles > filesAlone + Self.lateFiles {
      try await Task.sleep(for: .milliseconds(20))
    }
    let ended = try await server.stop()
    #expect(!ended.errors.contains("reload failed"), "\(ended.errors)")
    print("soak: \(calls) calls, \(replaced) certificates, \(bytes - warmBytes) bytes more")
  }
}

/// Callers that log known users in, one call after the other, until told to stop.
private final class SoakLoad: Sendable {
  private struct State {
    var isOver = false
    var calls = 0
    var errors: [RPCError] = []
  }

  private let state = Mutex(State())
  private let callers = Mutex([Task<Void, Never>]())

  init(_ clients: [RPCClient]) {
    let tasks = clients.enumerated().flatMap { number, client in
      (0..<4).map { caller in
        Task { await self.call(LoginServiceClient(client), "user-\(number)-\(caller)") }
      }
    }
    callers.withLock { $0 = tasks }
  }

  var errors: [RPCError] { state.withLock { $0.errors } }

  /// Returns how many calls were answered.
  func stop() async -> Int {
    state.withLock { $0.isOver = true }
    for caller in callers.withLock({ $0 }) { await caller.value }
    return state.withLock { $0.calls }
  }

  private func call(_ stub: LoginServiceClient, _ user: String) async {
    let request = CreateSessionRequest(appID: Workspace.app, credential: .externalUserID(user))
    while !state.withLock({ $0.isOver }) {
      do throws(RPCError) {
        _ = try await stub.createSession(request)
        state.withLock { $0.calls += 1 }
      } catch {
        state.withLock { $0.errors.append(error) }
        return
      }
    }
  }
}
