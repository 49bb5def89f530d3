import Foundation
import Testing

@Suite(
  "onside sandbox plays the phone network, the store app and who approves", .timeLimit(.minutes(2)))
struct SandboxApprovalTests {
  private static let number = "+491701234567"

  /// The value of a string field in an answer.
  private func field(_ name: String, _ answer: String) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    return try #require(object?[name] as? String, "\(answer)")
  }

  @Test("A code that was sent is shown, and logs its user in")
  func codes() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let app = Workspace.app
    #expect(
      try await sandbox.output("codes", Self.number)
        == "no codes that can be used for \(Self.number)\n")
    let sent = try await sandbox.call(
      "LoginService/SendPhoneCode", #"{"appId": "\#(app)", "phoneNumber": "\#(Self.number)"}"#)
    let rows = try await sandbox.table("codes", Self.number)
    #expect(rows.count == 2 && rows[0] == ["CODE", "APP", "SENT", "GOOD UNTIL"])
    let row = try #require(rows.last)
    #expect(row.count == 4 && row[1] == app)
    let credential =
      #"{"challengeId": "\#(try field("challengeId", sent))", "code": "\#(row[0])"}"#
    let session = try await sandbox.call(
      "LoginService/CreateSession", #"{"appId": "\#(app)", "phone": \#(credential)}"#)
    #expect(try field("profileId", session).count == 36)
    let storefront = try await sandbox.output("storefront", "jp", "--phone", Self.number)
    #expect(storefront == "storefront JP (JP)\n")
    #expect(try await sandbox.output("account", Self.number) == "no purchases\n")
    try await sandbox.server.stop()
  }

  @Test("A login through the store app is approved as an account, another is refused")
  func storeLogins() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    #expect(try await sandbox.output("logins") == "no login waits\n")
    let request = #"{"appId": "\#(Workspace.app)", "callbackScheme": "shop"}"#
    var identifiers: [String] = []
    for _ in 0..<2 {
      let begun = try await sandbox.call("LoginService/BeginStoreLogin", request)
      identifiers.append(try field("loginId", begun))
    }
    let rows = try await sandbox.table("logins")
    #expect(Set(rows.dropFirst().map { $0[0] }) == Set(identifiers))
    let unnamed = try await sandbox.run(["approve", identifiers[0]])
    expectFailure(unnamed, of: "onside", 2, ["--phone"])
    let approved = try await sandbox.output("approve", identifiers[0], "--phone", Self.number)
    #expect(approved.hasPrefix("approved as \(Self.number)\nopen shop://onside/login?"))
    #expect(approved.contains("code="))
    let declined = try await sandbox.output("decline", identifiers[1])
    #expect(declined.hasPrefix("refused\nopen shop://onside/login?"))
    #expect(declined.contains("error=refused"))
    #expect(try await sandbox.output("logins", "--app", Workspace.app) == "no login waits\n")
    try await sandbox.server.stop()
  }

  @Test("A deferred purchase is approved, another declined; a storefront is set")
  func deferred() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    _ = try await sandbox.onside.output("login", "--external-id", "user-1")
    #expect(try await sandbox.output("deferred") == "no purchase waits for approval\n")
    var identifiers: [String] = []
    for _ in 0..<2 {
      let bought = try await sandbox.onside.output(
        "buy", "coins", "--apple-pay", "sandbox-needs-approval")
      identifiers.append(try OnsideProgram.transaction(bought))
    }
    let rows = try await sandbox.table("deferred")
    #expect(rows.dropFirst().map { $0[0] } == identifiers)
    let approved = try await sandbox.output("approve", identifiers[0])
    #expect(
      approved == "purchased: coins for 4.99 EUR\ntransaction \(identifiers[0])\n")
    let declined = try await sandbox.output("decline", identifiers[1])
    #expect(declined.hasPrefix("failed: coins for 4.99 EUR\n"))
    let unknown = try await sandbox.run(["approve", UUID().uuidString.lowercased()])
    #expect(unknown.status == 12 && unknown.errors.contains("SANDBOX_NOT_FOUND"))
    let moved = try await sandbox.output("storefront", "JP", "--external-id", "user-1")
    #expect(moved == "storefront JP (JP)\n")
    #expect(try await sandbox.onside.output("profile").hasSuffix("storefront JP\n"))
    try await sandbox.server.stop()
  }
}
