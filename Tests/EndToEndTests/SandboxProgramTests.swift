import Foundation
import Testing

@Suite("onside sandbox", .timeLimit(.minutes(2)))
struct SandboxProgramTests {
  private static let administrator = "CN=development administrator,O=Onside development"

  /// A server with an administrator, and the program for anybody.
  private func server(
    _ workspace: Workspace, administrators: [String] = [administrator]
  ) async throws -> (ServerUnderTest, OnsideProgram) {
    let server = try await ServerUnderTest(
      workspace,
      [
        "--client-ca", workspace.certificates + "/ca.pem", "--client-certificates", "optional",
      ] + administrators.flatMap { ["--admin-certificate", $0] })
    return (server, OnsideProgram(workspace, target: server.address))
  }

  /// `sandbox` as an administrator.
  private func sandbox(_ onside: OnsideProgram, _ arguments: [String]) async throws -> ProcessEnd {
    let certificates = onside.workspace.certificates
    return try await onside.run(
      ["sandbox"] + arguments + [
        "--certificate", certificates + "/admin.pem", "--key", certificates + "/admin.key",
      ])
  }

  /// What `sandbox` prints when it has to succeed.
  private func output(
    _ onside: OnsideProgram, _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let end = try await sandbox(onside, arguments)
    #expect(end.status == 0, "\(arguments): \(end.errors)", sourceLocation: sourceLocation)
    return end.output
  }

  @Test("A fault rule is added, makes a login fail so often, is listed and removed")
  func faults() async throws {
    let workspace = try await Workspace()
    let (server, onside) = try await server(workspace)
    #expect(try await output(onside, "fault", "list") == "no fault rules\n")
    let added = try await output(
      onside, "fault", "add", "--method", "LoginService/CreateSession", "--external-id", "user-1",
      "--count", "1", "--status", "permission_denied", "--reason", "APP_KEY_INVALID", "--message",
      "not today")
    #expect(added == "fault-1: answers PERMISSION_DENIED (APP_KEY_INVALID)\n")
    let refused = try await onside.run(["login", "--external-id", "user-1"])
    expectFailure(refused, of: "onside", 12, ["not today"])
    _ = try await onside.output("login", "--external-id", "user-2")
    _ = try await onside.output("login", "--external-id", "user-1")
    let delayed = try await output(
      onside, "fault", "add", "--delay", "1ms", "--drop-reply", "--method",
      "PaymentsService/CreatePurchase", "--app", Workspace.app)
    #expect(delayed == "fault-2: waits 1 ms, drops the reply\n")
    let rows = try await output(onside, "fault", "list").split(separator: "\n").map {
      $0.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      rows == [
        ["FAULT", "CALLS", "SKIP", "COUNT", "EFFECT", "MATCHED", "FIRED"],
        [
          "fault-1", "LoginService/CreateSession, user user-1", "0", "1",
          "answers PERMISSION_DENIED (APP_KEY_INVALID)", "2", "1",
        ],
        [
          "fault-2", "PaymentsService/CreatePurchase, app com.example.shop", "0", "any",
          "waits 1 ms, drops the reply", "0", "0",
        ],
      ])
    #expect(try await output(onside, "fault", "remove", "fault-1") == "removed: 1\n")
    #expect(try await output(onside, "fault", "remove", "fault-1") == "removed: 0\n")
    #expect(try await output(onside, "fault", "remove", "--all") == "removed: 1\n")
    try await server.stop()
  }

  @Test("With --json everything is JSON, with the names of the service's messages")
  func json() async throws {
    let workspace = try await Workspace()
    let (server, onside) = try await server(workspace)
    let added = try await output(
      onside, "fault", "add", "--cut-connection", "--skip", "3", "--json")
    let rule = try #require(
      try JSONSerialization.jsonObject(with: Data(added.utf8)) as? [String: Any])
    #expect(rule["fault_id"] as? String == "fault-1")
    #expect(rule["cut_connection"] as? Bool == true)
    #expect(rule["skip"] as? Int == 3 && rule["fired"] as? Int == 0)
    let listed = try await output(onside, "fault", "list", "--json")
    let rules = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]]
    #expect(rules?.map { $0["fault_id"] as? String } == ["fault-1"])
    #expect(try await output(onside, "events", "--json") == "[\n\n]\n")
    try await server.stop()
  }

  @Test("Attributions are set; events that were tracked are shown")
  func analytics() async throws {
    let workspace = try await Workspace()
    let (server, onside) = try await server(workspace)
    let url = "https://example.com/ad"
    #expect(
      try await output(onside, "attribution", "phone", "--referrer", url)
        == "phone came from \(url)\n")
    let found = try await onside.output(
      "call", "onside.v1.AnalyticsService/GetAttribution", "--built-in", "-d",
      #"{"appId": "\#(Workspace.app)", "installationId": "phone"}"#)
    #expect(found.contains(url))
    #expect(try await output(onside, "events") == "no events\n")
    let tracked = try await onside.output(
      "call", "onside.v1.AnalyticsService/TrackEvents", "--built-in", "-d",
      """
      {"appId": "\(Workspace.app)", "installationId": "phone", "events": [
        {"eventId": "e1", "name": "opened", "occurredAtMs": "1000",
         "parameters": [{"name": "level", "value": {"number": 3}}]}]}
      """)
    #expect(tracked.contains("\"accepted\": 1"))
    #expect(
      try await output(onside, "events") == """
        AT                        INSTALLATION  EVENT  NAME    PARAMETERS
        1970-01-01T00:00:01.000Z  phone         e1     opened  {"level":3}

        """)
    try await server.stop()
  }

  @Test("Without an administrator's certificate nothing is done, and the reason is told")
  func refused() async throws {
    let workspace = try await Workspace()
    let (server, onside) = try await server(workspace)
    let nobody = try await onside.run(["sandbox", "fault", "list"])
    #expect(nobody.status == 12)
    #expect(nobody.errors.contains("PERMISSION_DENIED"))
    #expect(nobody.errors.contains("ADMINISTRATOR_REQUIRED"))
    let unknown = try await sandbox(onside, ["fault", "remove", "fault-7"])
    #expect(unknown.status == 12 && unknown.errors.contains("SANDBOX_NOT_FOUND"))
    try await server.stop()
    let (closed, other) = try await self.server(workspace, administrators: [])
    let offered = try await sandbox(other, ["fault", "list"])
    #expect(offered.status == 12 && offered.errors.contains("UNIMPLEMENTED"))
    try await closed.stop()
  }

  @Test(
    "A command line that can't be is refused before anything is sent",
    arguments: [
      ["fault", "add"], ["fault", "add", "--drop-reply", "--cut-connection"],
      ["fault", "add", "--message", "x", "--drop-reply"], ["fault", "add", "--status", "0"],
      ["fault", "add", "--status", "OK"], ["fault", "remove"], ["fault", "remove", "x", "--all"],
      ["storefront", "DE"], ["storefront", "DE", "--profile", "x", "--phone", "+491701234567"],
      ["attribution", "phone"], ["events", "--limit", "501"], ["fault"], [],
    ])
  func usage(arguments: [String]) async throws {
    let workspace = try await Workspace()
    let onside = OnsideProgram(workspace, target: "127.0.0.1:1")
    let end = try await sandbox(onside, arguments)
    #expect(end.status == 2, "\(end.errors)")
    #expect(end.output == "")
  }

  @Test("The server wants a client CA with an administrator, and a text that can be one")
  func serverFlags() async throws {
    let workspace = try await Workspace()
    let withoutCA = try await RunningProcess(
      "onside-server",
      workspace.serverArguments + ["--admin-certificate", Self.administrator],
      folder: workspace.folder
    ).ended()
    expectFailure(withoutCA, of: "onside-server", 4, ["--admin-certificate", "--client-ca"])
    let neither = try await RunningProcess(
      "onside-server", workspace.serverArguments + ["--admin-certificate", "admin"],
      folder: workspace.folder
    ).ended()
    expectFailure(neither, of: "onside-server", 2, ["--admin-certificate", "SHA-256"])
  }
}
