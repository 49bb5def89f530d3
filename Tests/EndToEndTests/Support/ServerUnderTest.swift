import Foundation
import Glibc
import RPC
import RPCClient
import RPCTransport

/// A server process that a test starts, watches and ends.
final class ServerUnderTest: Sendable {
  private let process: RunningProcess

  /// What clients connect to: `127.0.0.1:PORT`, unless it was told to listen elsewhere.
  let address: String

  /// Starts `onside-server` on a free port and waits until it says where it listens.
  ///
  /// - Parameters:
  ///   - workspace: Holds certificates, catalogue and store.
  ///   - arguments: Behind those for address, certificate, key, catalogue and store.
  ///   - listen: Where it listens.
  ///   - descriptors: The most files that it may have open; nil: as many as the test.
  init(
    _ workspace: Workspace, _ arguments: [String] = [], listen: String = "127.0.0.1:0",
    descriptors: Int? = nil
  ) async throws {
    let arguments =
      workspace.serverArguments.replacing("127.0.0.1:0", with: listen) + arguments
    if let descriptors {
      let limited = ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\""]
      process = try RunningProcess(
        "/bin/sh", limited + [Executables.folder + "/onside-server"] + arguments,
        folder: workspace.folder)
    } else {
      process = try RunningProcess("onside-server", arguments, folder: workspace.folder)
    }
    let prefix = "listening on "
    guard let line = await process.firstLine(), line.hasPrefix(prefix) else {
      let end = await process.ended()
      throw EndToEndFailure("the server didn't start (\(end.status)): \(end.errors)")
    }
    address = String(line.dropFirst(prefix.count))
  }

  deinit { process.signal(SIGKILL) }

  /// Sends a signal.
  func signal(_ number: Int32) { process.signal(number) }

  /// Waits until a text was so often in the log.
  func waitForLog(_ text: String, times: Int = 1) async {
    await process.waitForErrors(text, times: times)
  }

  /// How many files it has open now.
  var openFiles: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.identifier)/fd"))?
      .count ?? 0
  }

  /// The processor time that it has used so far.
  var cpuTime: Duration {
    let text = try? String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8)
    // Behind the name in parentheses; user and system time are the 14th and 15th of all.
    let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    return .seconds(1) * (Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// The memory that it takes now, in bytes.
  var residentBytes: Int {
    let text = try? String(contentsOfFile: "/proc/\(process.identifier)/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Waits until the process has ended.
  func ended() async -> ProcessEnd { await process.ended() }

  /// Drains the server; its exit status has to be 0.
  @discardableResult
  func stop() async throws -> ProcessEnd {
    signal(SIGTERM)
    let end = await ended()
    guard end.status == 0 else {
      throw EndToEndFailure("the server ended with \(end.status): \(end.errors)")
    }
    return end
  }
}

/// A client of a server under test, with event loops of its own.
struct ClientUnderTest: Sendable {
  let client: RPCClient
  private let group: EventLoopGroup

  init(_ server: ServerUnderTest, _ workspace: Workspace, connections: Int = 2) throws {
    group = try EventLoopGroup(loops: 1)
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(workspace.certificates + "/ca.pem")
    var configuration = ClientConfiguration()
    configuration.connections = connections
    client = RPCClient(
      to: try Endpoint(server.address), tls: try ClientTLS(tls), group: group,
      configuration: configuration)
  }

  /// Closes the connections and ends the loops.
  func close() async {
    await client.close()
    await group.shutdown()
  }
}
