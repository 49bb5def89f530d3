import Foundation
import RPCCore
import RPCServer
import RPCTransport
import Testing

/// `Docs/limits.md` against the code: defaults, counters, and the tests that it names.
@Suite struct LimitsPageTests {
  /// The rows of the page's tables, as their cells.
  private func rows() throws -> [[String]] {
    let page = try String(contentsOfFile: packageRoot + "/Docs/limits.md", encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The words between backquotes.
  private func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// The number of a cell such as "16,384", "4 MiB" or "30 min"; times are in seconds.
  private func number(_ cell: String) -> Double? {
    let units: [String: Double] = [
      "KiB": 1_024, "MiB": 1_048_576, "s": 1, "min": 60, "h": 3_600,
    ]
    let words = cell.replacingOccurrences(of: ",", with: "").split(separator: " ").map(String.init)
    guard let first = words.first.flatMap(Double.init) else { return nil }
    return words.count == 1 ? first : units[words[1]].map { $0 * first }
  }

  private func seconds(_ duration: Duration?) -> Double { (duration ?? .zero) / .seconds(1) }

  /// The defaults of the code, by the flag that changes them.
  private var defaults: [String: Double] {
    let server = ServerConfiguration()
    let (connection, channel, abuse) = (server.connection, server.channel, server.connection.abuse)
    let listener = ListenerOptions()
    let tls = ServerTLS.Configuration(certificateFile: "", keyFile: "", applicationProtocols: [])
    return [
      "--max-connections": Double(listener.maximumConnections),
      "--max-connections-per-address": Double(listener.maximumConnectionsPerAddress),
      "--max-handshakes": Double(listener.maximumHandshakes),
      "--max-handshakes-per-second": Double(listener.maximumHandshakesPerSecond),
      "--handshake-timeout": seconds(channel.handshakeTimeout),
      "--setup-timeout": seconds(connection.setupTimeout),
      "--idle-timeout": seconds(connection.idleTimeout),
      "--keep-alive-interval": seconds(connection.keepAlive.interval),
      "--keep-alive-timeout": seconds(connection.keepAlive.timeout),
      "--ticket-key-lifetime": seconds(tls.ticketKeyLifetime),
      "--max-calls": Double(connection.maximumConcurrentCalls),
      "--max-message-bytes": Double(connection.maximumMessageSize),
      "--max-frame-bytes": Double(connection.maximumFramePayload),
      "--stream-window": Double(connection.streamWindow),
      "--connection-window": Double(connection.connectionWindow),
      "--max-unfinished-bytes": Double(connection.reassemblyBudget),
      "--max-inflate-ratio": Double(server.inflateRatioLimit),
      "--max-unread-bytes": Double(connection.outputLimit),
      "--max-output-bytes": Double(channel.outputLimit),
      "--worker-queue": Double(server.offload.queueLimit),
      "--call-timeout": seconds(server.deadlines.fallback),
      "--max-call-timeout": seconds(server.deadlines.maximum),
      "--frame-timeout": seconds(connection.frameTimeout),
      "--min-frame-rate": Double(connection.minimumFrameRate),
      "--reply-timeout": seconds(connection.replyTimeout),
      "--write-stall-timeout": seconds(channel.writeStallTimeout),
      "--close-timeout": seconds(channel.closeTimeout), "--budget-window": seconds(abuse.window),
      "--cancel-budget": Double(abuse.cancels), "--stream-error-budget": Double(abuse.streamErrors),
      "--refused-call-budget": Double(abuse.refusedCalls), "--ping-budget": Double(abuse.pings),
      "--control-frame-budget": Double(abuse.controlFrames),
      "--extension-frame-budget": Double(abuse.extensionFrames),
      "--empty-message-budget": Double(abuse.emptyMessages),
      "--late-frame-budget": Double(abuse.lateFrames),
      "--idle-record-budget": Double(channel.idleRecordLimit),
    ]
  }

  @Test func defaultsAreThoseOfTheCode() throws {
    var listed: [String: Double] = [:]
    for row in try rows() where row.count == 6 {
      for flag in quoted(row[2]) where flag.hasPrefix("--") {
        listed[flag] = number(row[1])
      }
    }
    #expect(listed == defaults)
  }

  /// The rules that have a limit.
  private static let limitRules: [ProtocolViolation.Rule] = [
    .setupTimeout, .keepAliveTimeout, .frameTooLong, .credit, .notReading, .frameTooSlow,
    .replyNotTaken, .cancelBudget, .streamErrorBudget, .refusedCallBudget, .pingBudget,
    .controlBudget, .extensionBudget, .emptyMessageBudget, .lateFrameBudget,
  ]

  /// All rules that a peer may break.
  private static let rules =
    limitRules + [
      .streamID, .frameType, .flags, .setup, .streamState, .malformed, .compression, .pong, .drain,
    ]

  @Test func rulesThatAreCountedExist() throws {
    var listed: Set<String> = []
    for row in try rows() where row.count == 6 {
      for counter in quoted(row[5]) where counter.hasPrefix("violations.") {
        listed.insert(String(counter.dropFirst("violations.".count)))
      }
    }
    #expect(listed == Set(Self.limitRules.map(\.rawValue)))
  }

  /// The counters that the rows name are members of what the server writes.
  @Test func namedCountersExist() async throws {
    let rules = Set(Self.rules.map(\.rawValue))
    let codes = Set((UInt32(0)...16).map { "\(StatusCode(rawValue: $0))" })
    let rows = try rows()
    try await withServer { server in
      let json = Data(server.server.metrics.json.utf8)
      let metrics = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      var named = 0
      for row in rows where row.count >= 5 {
        for name in quoted(row[row.count == 5 ? 3 : 5]) {
          let parts = name.split(separator: ".").map(String.init)
          guard let first = parts.first, first != "RPCClient", !first.hasSuffix("=") else {
            continue
          }
          named += 1
          #expect(metrics[first] != nil, "\(name)")
          guard parts.count > 1 else { continue }
          switch first {
          case "calls": #expect(codes.contains(parts[1]), "\(name)")
          case "violations": #expect(rules.contains(parts[1]), "\(name)")
          case "listening":
            #expect((metrics[first] as? [String: Any])?[parts[1]] != nil, "\(name)")
          default: break
          }
        }
      }
      #expect(named > 80)
    }
  }

  /// Each row about a hostile peer names the tests that show it: they have to be there.
  @Test func namedTestsExist() throws {
    let tests = URL(fileURLWithPath: packageRoot + "/Tests").resolvingSymlinksInPath().path
    var sources = ""
    for case let path as String in FileManager.default.enumerator(atPath: tests) ?? .init()
    where path.hasSuffix("Tests.swift") {
      sources += try String(contentsOfFile: tests + "/" + path, encoding: .utf8)
    }
    var named = 0
    var missing: [String] = []
    for row in try rows() where row.count == 4 || row.count == 5 {
      for name in quoted(row[row.count - 1]) where name.contains("/") {
        let parts = name.split(separator: "/").map(String.init)
        let isThere =
          sources.contains("struct \(parts[0])") && sources.contains("func \(parts[1])(")
        if !isThere { missing.append(name) }
        named += 1
      }
    }
    #expect(missing == [] && named > 60)
  }
}
