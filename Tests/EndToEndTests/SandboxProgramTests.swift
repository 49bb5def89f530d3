import Foundation
import Testing

@Suite("onside sandbox", .timeLimit(.minutes(2)))
struct SandboxProgramTests {
  @Test("A fault rule is added, makes a login fail so often, is listed and removed")
  func faults() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    #expect(try await sandbox.output("fault", "list") == "no fault rules\n")
    let added = try await sandbox.output(
      "fault", "add", "--method", "LoginService/CreateSession", "--external-id", "user-1",
      "--count", "1", "--status", "permission_denied", "--reason", "APP_KEY_INVALID", "--message",
      "not today")
    #expect(added == "fault-1: answers PERMISSION_DENIED (APP_KEY_INVALID)\n")
    let refused = try await sandbox.onside.run(["login", "--external-id", "user-1"])
    expectFailure(refused, of: "onside", 12, ["not today"])
    _ = try await sandbox.onside.output("login", "--external-id", "user-2")
    _ = try await sandbox.onside.output("login", "--external-id", "user-1")
    let delayed = try await sandbox.output(
      "fault", "add", "--delay", "1ms", "--drop-reply", "--method",
      "PaymentsService/CreatePurchase", "--app", Workspace.app)
    #expect(delayed == "fault-2: waits 1 ms, drops the reply\n")
    let rows = try await sandbox.table("fault", "list")
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
    #expect(try await sandbox.output("fault", "remove", "fault-1") == "removed: 1\n")
    #expect(try await sandbox.output("fault", "remove", "fault-1") == "removed: 0\n")
    #expect(try await sandbox.output("fault", "remove", "--all") == "removed: 1\n")
    try await sandbox.server.stop()
  }

  @Test("With --json everything is JSON, with the names of the service's messages")
  func json() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let added = try await sandbox.output(
      "fault", "add", "--cut-connection", "--skip", "3", "--json")
    let rule = try #require(
      try JSONSerialization.jsonObject(with: Data(added.utf8)) as? [String: Any])
    #expect(rule["fault_id"] as? String == "fault-1")
    #expect(rule["cut_connection"] as? Bool == true)
    #expect(rule["skip"] as? Int == 3 && rule["fired"] as? Int == 0)
    let listed = try await sandbox.output("fault", "list", "--json")
    let rules = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]]
    #expect(rules?.map { $0["fault_id"] as? String } == ["fault-1"])
    #expect(try await sandbox.output("events", "--json") == "[\n\n]\n")
    try await sandbox.server.stop()
  }

  @Test("Attributions are set; events that were tracked are shown")
  func analytics() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let url = "https://example.com/ad"
    #expect(
      try await sandbox.output("attribution", "phone", "--referrer", url)
        == "phone came from \(url)\n")
    let found = try await sandbox.onside.output(
      "call", "onside.v1.AnalyticsService/GetAttribution", "--built-in", "-d",
      #"{"appId": "\#(Workspace.app)", "installationId": "phone"}"#)
    #expect(found.contains(url))
    #expect(try await sandbox.output("events") == "no events\n")
    let tracked = try await sandbox.onside.output(
      "call", "onside.v1.AnalyticsService/TrackEvents", "--built-in", "-d",
      """
      {"appId": "\(Workspace.app)", "installationId": "phone", "events": [
        {"eventId": "e1", "name": "opened", "occurredAtMs": "1000",
         "parameters": [{"name": "level", "value": {"number": 3}}]}]}
      """)
    #expect(tracked.contains("\"accepted\": 1"))
    #expect(
      try await sandbox.output("events") == """
        AT                        INSTALLATION  EVENT  NAME    PARAMETERS
        1970-01-01T00:00:01.000Z  phone         e1     opened  {"level":3}

        """)
    try await sandbox.server.stop()
  }

  @Test("Without an administrator's certificate nothing is done, and the reason is told")
  func refused() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let nobody = try await sandbox.onside.run(["sandbox", "fault", "list"])
    #expect(nobody.status == 12)
    #expect(nobody.errors.contains("PERMISSION_DENIED"))
    #expect(nobody.errors.contains("ADMINISTRATOR_REQUIRED"))
    let unknown = try await sandbox.run(["fault", "remove", "fault-7"])
    #expect(unknown.status == 12 && unknown.errors.contains("SANDBOX_NOT_FOUND"))
    try await sandbox.server.stop()
    let closed = try await SandboxUnderTest(workspace, administrators: [])
    let offered = try await closed.run(["fault", "list"])
    #expect(offered.status == 12 && offered.errors.contains("UNIMPLEMENTED"))
    try await closed.server.stop()
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
    let end = try await OnsideProgram(workspace, target: "127.0.0.1:1").sandbox(arguments)
    #expect(end.status == 2, "\(end.errors)")
    #expect(end.output == "")
  }

  @Test("The server wants a client CA with an administrator, and a text that can be one")
  func serverFlags() async throws {
    let workspace = try await Workspace()
    let withoutCA = try await RunningProcess(
      "onside-server",
      workspace.serverArguments + ["--admin-certificate", SandboxUnderTest.administrator],
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
