import Foundation
import Testing

@Suite("onside, the command line client", .timeLimit(.minutes(2)))
struct ClientProgramTests {
  @Test("Log in, list, buy, look, finish, log out: readable output, and one session throughout")
  func journey() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let onside = OnsideProgram(workspace, target: server.address)
    let login = try await onside.output("login", "--external-id", "user-1")
    #expect(login.hasPrefix("external profile "))
    #expect(login.hasSuffix(" (user-1)\napp com.example.shop, storefront DE\n"))
    #expect(try await onside.output("profile") == login)
    #expect(
      try await onside.output("products", "coins", "no-ads", "nothing") == """
        PRODUCT     PRICE  KIND        TITLE
        coins    4.99 EUR  consumable  Coins
        no-ads: not for a profile of an external login
        nothing: unknown, or not sold in the storefront DE

        """)
    #expect(try await onside.output("transactions") == "no transactions\n")
    let bought = try await onside.output("buy", "coins", "--apple-pay", "sandbox-paid")
    let id = try OnsideProgram.transaction(bought)
    #expect(bought == "purchased: coins for 4.99 EUR\ntransaction \(id)\n")
    let listed = try await onside.output("transactions", "--unfinished")
    #expect(listed.split(separator: "\n").count == 2)
    #expect(listed.contains("\(id)  coins    4.99 EUR  purchased  no        20"))
    let finished = try await onside.output("finish", id)
    #expect(finished == "finished: coins for 4.99 EUR\ntransaction \(id)\n")
    #expect(try await onside.output("transactions", "--unfinished") == "no transactions\n")
    #expect(try await onside.output("transactions").contains("purchased  yes"))
    #expect(try await onside.output("logout") == "logged out\n")
    #expect(!workspace.exists("state/onside/session.json"))
    try await server.stop()
  }

  @Test("With --json every command prints JSON, with the names of the service's messages")
  func json() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let onside = OnsideProgram(workspace, target: server.address)
    let profile = try await onside.json([String: Any].self, "login", "--external-id", "user-2")
    #expect(profile["external_user_id"] as? String == "user-2")
    #expect(profile["kind"] as? String == "external")
    #expect((profile["storefront"] as? [String: Any])?["country_code"] as? String == "DE")
    let list = try await onside.json([String: Any].self, "products", "coins", "no-ads", "x")
    #expect(list["invalid_identifiers"] as? [String] == ["x"])
    #expect(list["unsupported_identifiers"] as? [String] == ["no-ads"])
    let product = try #require((list["products"] as? [[String: Any]])?.first)
    #expect(product["product_identifier"] as? String == "coins")
    let price = try #require(product["price"] as? [String: Any])
    #expect(price["minor_units"] as? Int == 499)
    #expect(price["currency_code"] as? String == "EUR")
    let bought = try await onside.json(
      [String: Any].self, "buy", "coins", "--apple-pay", "sandbox-paid", "--app-account-token", "t")
    let id = try #require(bought["transaction_id"] as? String)
    #expect(bought["state"] as? String == "purchased")
    #expect(bought["app_account_token"] as? String == "t")
    let listed = try await onside.json([[String: Any]].self, "transactions")
    #expect(listed.map { $0["transaction_id"] as? String } == [id])
    #expect(listed.first?["finished"] as? Bool == false)
    let finished = try await onside.json([String: Any].self, "finish", id)
    #expect(finished["finished"] as? Bool == true)
    #expect(try await onside.json([String: Any].self, "logout").isEmpty)
    try await server.stop()
  }

  @Test("The session is in a file that only its user can read, and nowhere else")
  func sessionFile() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let onside = OnsideProgram(workspace, target: server.address)
    let login = try await onside.run(["login", "--external-id", "user-3", "--json"])
    #expect(login.status == 0)
    let manager = FileManager.default
    let file = try manager.attributesOfItem(atPath: onside.sessionFile)
    #expect(file[.posixPermissions] as? Int == 0o600)
    let folder = (onside.sessionFile as NSString).deletingLastPathComponent
    #expect(try manager.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    #expect(try manager.contentsOfDirectory(atPath: folder) == ["session.json"])
    let data = try #require(manager.contents(atPath: onside.sessionFile))
    let kept = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let token = try #require(kept["token"] as? String)
    #expect(token.count > 40)
    #expect(!login.output.contains(token) && !login.errors.contains(token))
    #expect(kept["target"] as? String == server.address)
    let end = try await server.stop()
    #expect(!end.errors.contains(token))
  }

  @Test("Without --session-file it is below XDG_STATE_HOME, or ~/.local/state")
  func defaultSessionFile() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    for (variables, file) in [
      (["XDG_STATE_HOME=\(workspace.folder)/xdg"], "xdg/onside/session.json"),
      (
        ["XDG_STATE_HOME=", "HOME=\(workspace.folder)/home"],
        "home/.local/state/onside/session.json"
      ),
    ] {
      let end = try await RunningProcess(
        "/usr/bin/env",
        variables + [Executables.folder + "/onside", "login", "--external-id", "user-4"]
          + ["--target", server.address, "--ca", workspace.certificates + "/ca.pem"]
      ).ended()
      #expect(end.status == 0, "\(end.errors)")
      #expect(workspace.exists(file))
    }
    try await server.stop()
  }

  @Test("It talks over a Unix socket and over IPv6", arguments: ["unix:server.socket", "[::1]:0"])
  func addresses(_ address: String) async throws {
    let workspace = try await Workspace()
    let listen = address.replacingOccurrences(of: "unix:", with: "unix:\(workspace.folder)/")
    let server = try await ServerUnderTest(workspace, listen: listen)
    #expect(server.address.hasPrefix(listen.replacingOccurrences(of: ":0", with: ":")))
    let onside = OnsideProgram(workspace, target: server.address)
    _ = try await onside.output("login", "--external-id", "user-5")
    #expect(try await onside.output("products", "coins").contains("4.99 EUR"))
    try await server.stop()
    #expect(!workspace.exists("server.socket"))
    expectFailure(
      try await onside.run(["products", "coins"]), of: "onside", 3, [server.address])
  }

  @Test("The same idempotency key never buys twice")
  func idempotencyKey() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let onside = OnsideProgram(workspace, target: server.address)
    _ = try await onside.output("login", "--external-id", "user-6")
    let command = ["buy", "coins", "--apple-pay", "sandbox-paid", "--idempotency-key", "key-1"]
    let ends = [try await onside.run(command), try await onside.run(command)]
    #expect(ends.map(\.status) == [0, 0])
    #expect(ends[0].output == ends[1].output)
    #expect(try await onside.json([[String: Any]].self, "transactions").count == 1)
    try await server.stop()
  }
}
