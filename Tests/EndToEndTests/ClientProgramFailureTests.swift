import Foundation
import Testing

@Suite("What onside says and ends with when something is wrong", .timeLimit(.minutes(2)))
struct ClientProgramFailureTests {
  @Test("Its help names every exit code that it has")
  func help() async throws {
    let help = try await RunningProcess("onside", ["--help"]).ended()
    #expect(help.status == 0)
    #expect(help.errors == "")
    let codes = help.output.components(separatedBy: "Exit codes").last ?? ""
    let listed = codes.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(listed == [0, 1, 2, 3, 4, 6, 8, 9, 11, 12, 130])
    for command in [
      "login", "logout", "profile", "products", "buy", "transactions", "finish", "shop",
    ] {
      #expect(help.output.contains(command))
      let own = try await RunningProcess("onside", [command, "--help"]).ended()
      #expect(own.status == 0)
    }
  }

  @Test(
    "A wrong command line ends with 2 and names what is wrong, before anything is connected",
    arguments: [
      (["--bogus"], ["--bogus"]), (["nonsense"], ["nonsense"]), ([], ["command"]),
      (["login"], ["--external-id"]), (["products"], ["ID"]),
      (["login", "--external-id", "u", "--target", "nowhere"], ["--target", "nowhere"]),
      (["buy", "coins"], ["--apple-pay TOKEN", "--card TOKEN"]),
      (["buy", "coins", "--apple-pay", "a", "--card", "b"], ["one of"]),
      (["products", "coins", "--timeout", "0"], ["--timeout", "0"]),
    ])
  func wrongCommandLine(_ arguments: [String], _ words: [String]) async throws {
    let end = try await RunningProcess("onside", arguments).ended()
    expectFailure(end, of: "onside", 2, words)
  }

  @Test("--insecure is needed for a certificate that isn't trusted, and says so each time")
  func insecure() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let other = try await workspace.makeOtherCertificates()
    var onside = OnsideProgram(workspace, target: server.address)
    onside.ca = other + "/ca.pem"
    for command in [["login", "--external-id", "user"], ["profile"], ["transactions"]] {
      let refused = try await onside.run(command)
      expectFailure(refused, of: "onside", 4, ["certificate"])
      #expect(!refused.errors.contains("INSECURE"))
      let taken = try await onside.run(command + ["--insecure"])
      #expect(taken.status == 0 && !taken.output.isEmpty, "\(taken.errors)")
      #expect(taken.errors.hasPrefix("onside: INSECURE: ") && taken.errors.hasSuffix("\n"))
      // Also where the certificate could be verified: it wasn't.
      onside.ca = workspace.certificates + "/ca.pem"
      #expect(try await onside.run(command).errors == "")
      #expect(try await onside.run(command + ["--insecure"]).errors == taken.errors)
      onside.ca = other + "/ca.pem"
    }
    try await server.stop()
  }

  @Test("A server that can't be reached ends with 3, an untrusted or broken certificate with 4")
  func connecting() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let login = ["login", "--external-id", "user"]
    let other = try await workspace.makeOtherCertificates()
    var onside = OnsideProgram(workspace, target: server.address)
    onside.ca = other + "/ca.pem"
    expectFailure(try await onside.run(login), of: "onside", 4, ["certificate"])
    onside.ca = "/none.pem"
    expectFailure(try await onside.run(login), of: "onside", 4, ["/none.pem"])
    onside.ca = workspace.certificates + "/ca.pem"
    let mismatched = [
      "--certificate", workspace.certificates + "/client.pem", "--key", other + "/client.key",
    ]
    expectFailure(try await onside.run(login + mismatched), of: "onside", 4, ["client.key"])
    try await server.stop()
    expectFailure(try await onside.run(login), of: "onside", 3, [server.address])
    onside.target = "no-such-host.invalid:1"
    expectFailure(
      try await onside.run(login + ["--timeout", "30"]), of: "onside", 3,
      ["no-such-host.invalid"])
    #expect(!workspace.exists("state"))
  }

  @Test("A session file that others can read, that is broken or can't be written ends with 9")
  func sessionFile() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    var onside = OnsideProgram(workspace, target: server.address)
    _ = try await onside.output("login", "--external-id", "user")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: onside.sessionFile)
    expectFailure(
      try await onside.run(["profile"]), of: "onside", 9, [onside.sessionFile, "chmod 600"])
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: onside.sessionFile)
    #expect(try await onside.output("profile").contains("(user)"))
    try Data("{}".utf8).write(to: URL(fileURLWithPath: onside.sessionFile))
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: onside.sessionFile)
    expectFailure(
      try await onside.run(["profile"]), of: "onside", 9, [onside.sessionFile, "log in again"])
    // A folder of it that is a file.
    onside.sessionFile = workspace.folder + "/shop.jsonl/session.json"
    let unwritable = try await onside.run(["login", "--external-id", "user"])
    expectFailure(unwritable, of: "onside", 9, ["shop.jsonl/session.json"])
    let key = ["login", "--external-id", "u", "--app-key-file", "/none.key"]
    onside.sessionFile = workspace.folder + "/session.json"
    expectFailure(try await onside.run(key), of: "onside", 9, ["--app-key-file", "/none.key"])
    try await server.stop()
  }

  @Test("Nobody logged in, an ended session, and one with another server end with 11")
  func sessions() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    var onside = OnsideProgram(workspace, target: server.address)
    for command in [["transactions"], ["profile"], ["logout"]] {
      expectFailure(try await onside.run(command), of: "onside", 11, [])
    }
    // Without a session products are listed all the same, without restrictions.
    #expect(try await onside.output("products", "no-ads", "--country", "DE").contains("2.99"))
    _ = try await onside.output("login", "--external-id", "user")
    let stolen = workspace.folder + "/copy.json"
    try FileManager.default.copyItem(atPath: onside.sessionFile, toPath: stolen)
    _ = try await onside.output("logout")
    onside.sessionFile = stolen
    expectFailure(try await onside.run(["transactions"]), of: "onside", 11, ["SESSION_ENDED"])
    // It is of no more use, so it was forgotten.
    #expect(!workspace.exists("copy.json"))
    _ = try await onside.output("login", "--external-id", "user")
    let elsewhere = try await onside.run(["profile", "--app", "com.example.other"])
    expectFailure(elsewhere, of: "onside", 11, [server.address, "--app"])
    try await server.stop()
  }

  @Test("What the service refuses, and a payment that fails, ends with 12 and names the reason")
  func refusals() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let onside = OnsideProgram(workspace, target: server.address)
    expectFailure(
      try await onside.run(["login", "--external-id", ""]), of: "onside", 12,
      ["EXTERNAL_USER_ID_EMPTY"])
    expectFailure(
      try await onside.run(["login", "--external-id", "u", "--app", "com.example.nobody"]),
      of: "onside", 12, ["APP_NOT_REGISTERED"])
    _ = try await onside.output("login", "--external-id", "user")
    for (arguments, words) in [
      (["no-ads", "--apple-pay", "sandbox-paid"], ["no-ads", "NOT_SUPPORTED_FOR_EXTERNAL_LOGIN"]),
      (["nothing", "--apple-pay", "sandbox-paid"], ["nothing", "PRODUCT_NOT_FOUND"]),
      (["coins", "--card", "sandbox-paid"], ["APPLE_PAY_REQUIRED"]),
      (["coins", "--apple-pay", "stolen"], ["PAYMENT_METHOD_INVALID"]),
    ] {
      expectFailure(try await onside.run(["buy"] + arguments), of: "onside", 12, words)
    }
    // A payment that fails is a transaction all the same, which is printed.
    for (token, reason) in [("sandbox-declined", "declined"), ("sandbox-cancelled", "cancelled")] {
      let end = try await onside.run(["buy", "coins", "--apple-pay", token])
      #expect(end.status == 12)
      #expect(end.output.hasPrefix("failed: coins for 4.99 EUR\ntransaction "))
      #expect(end.errors.hasPrefix("onside: the payment was \(reason)"))
    }
    let unknown = try await onside.run(["finish", "00000000-0000-7000-8000-000000000000"])
    expectFailure(unknown, of: "onside", 12, ["TRANSACTION_NOT_FOUND"])
    try await server.stop()
  }

  @Test("A processor that is down ends with 1; one that comes back is asked again by itself")
  func unavailable() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let onside = OnsideProgram(workspace, target: server.address)
    _ = try await onside.output("login", "--external-id", "user")
    expectFailure(
      try await onside.run(["buy", "coins", "--apple-pay", "sandbox-unavailable"]), of: "onside", 1,
      ["PROCESSOR_UNAVAILABLE"])
    #expect(try await onside.output("transactions").contains("purchasing  no"))
    let once = try await onside.output("buy", "coins", "--apple-pay", "sandbox-unavailable-once")
    #expect(once.hasPrefix("purchased: coins"))
    try await server.stop()
  }
}
