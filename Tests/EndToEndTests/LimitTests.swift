import Foundation
import Glibc
import OnsideProto
import RPC
import RPCClient
import Testing

@Suite("Limits of onside-server", .timeLimit(.minutes(2)))
struct LimitTests {
  /// The rows of `Docs/limits.md` that have a flag: the flag and the default beside it.
  private func page() throws -> [(flag: String, value: Double)] {
    let path = Workspace.packageRoot + "/Docs/limits.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 3, cells[2].hasPrefix("`--"), let value = number(cells[1]) else {
        return nil
      }
      return (cells[2].trimmingCharacters(in: ["`"]), value)
    }
  }

  private func number(_ cell: String) -> Double? {
    let units: [String: Double] = [
      "KiB": 1_024, "MiB": 1_048_576, "s": 1, "min": 60, "h": 3_600,
    ]
    let words = cell.replacingOccurrences(of: ",", with: "").split(separator: " ").map(String.init)
    guard let first = words.first.flatMap(Double.init) else { return nil }
    return words.count == 1 ? first : units[words[1]].map { $0 * first }
  }

  @Test("Every limit of the page is a flag with that default")
  func flags() async throws {
    let help = try await RunningProcess("onside-server", ["--help"]).ended().output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let rows = try page()
    #expect(rows.count > 30)
    for (flag, value) in rows {
      // With its value behind it: other flags' texts name it too.
      let start = try #require(
        words.range(of: " \(flag) N ") ?? words.range(of: " \(flag) SECONDS "), "\(flag)")
      let rest = words[start.upperBound...]
      let mark = try #require(rest.range(of: "(default: "), "\(flag)")
      let shown = rest[mark.upperBound...].prefix { $0 != ")" }
      #expect(Double(shown) == value, "\(flag)")
    }
  }

  @Test("SIGUSR1 writes the counters as one line of JSON, whatever the log's format")
  func counters() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace, ["--metrics-interval", "3600"])
    let client = try ClientUnderTest(server, workspace)
    _ = try await logIn(client)
    server.signal(SIGUSR1)
    await server.waitForLog("\"message\":\"metrics\"")
    await client.close()
    let end = try await server.stop()
    let lines = end.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
    // One for the signal, one at the end.
    #expect(lines.count == 2)
    for line in lines {
      let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let metrics = try #require(members?["metrics"] as? [String: Any])
      #expect((metrics["calls"] as? [String: Int])?["OK"] == 1)
    }
  }

  /// C24: 64 descriptors and 200 clients. The server keeps enough for itself, says so, and serves
  /// again when they are gone. What comes if it runs out all the same is in
  /// `ListenerTests`.
  @Test("C24: clients can't take the server's last descriptors")
  func shortage() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(
      workspace, ["--metrics-interval", "1"], descriptors: 64)
    let start = ContinuousClock.now
    let flood = SilentConnections(200, to: server.address)
    await server.waitForLog("too many connections")
    #expect(server.openFiles <= 64 - 4)
    // For a second or two nobody leaves, and nothing spins: of a core's time hardly any is used.
    let (used, from) = (server.cpuTime, ContinuousClock.now)
    await server.waitForLog("\"message\":\"metrics\"", times: 3)
    #expect((server.cpuTime - used) / (ContinuousClock.now - from) < 0.1)
    flood.close()
    let client = try ClientUnderTest(server, workspace, connections: 1)
    #expect(try await logIn(client).created)
    await client.close()
    let end = try await server.stop()
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    let lines = end.errors.split(separator: "\n").filter { $0.contains("too many connections") }
    #expect(lines.count <= seconds + 2)
    #expect(end.errors.contains("descriptors=64 configured=16384 connections="))
    #expect(!end.errors.contains("no file descriptors left"))
  }

  private func logIn(_ client: ClientUnderTest) async throws -> CreateSessionResponse {
    try await LoginServiceClient(client.client).createSession(
      CreateSessionRequest(appID: Workspace.app, credential: .externalUserID("user")),
      options: CallOptions(timeout: .seconds(60), waitsForReady: true))
  }
}

/// TCP connections that never say anything.
private final class SilentConnections: Sendable {
  private let descriptors: [Int32]

  /// Connects to `127.0.0.1:PORT` so many times, without waiting for any.
  init(_ count: Int, to address: String) {
    let port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    descriptors = (0..<count).map { _ in
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      var target = sockaddr_in()
      target.sin_family = sa_family_t(AF_INET)
      target.sin_port = port.bigEndian
      target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      withUnsafePointer(to: target) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      return descriptor
    }
  }

  func close() {
    for descriptor in descriptors { Glibc.close(descriptor) }
  }
}
