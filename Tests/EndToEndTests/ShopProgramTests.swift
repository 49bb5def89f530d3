import Foundation
import Glibc
import Testing

@Suite("onside shop as a program: signals, windows, files, scripts", .timeLimit(.minutes(3)))
struct ShopProgramTests {
  @Test("What comes while something is typed is shown above it, in 40 columns too")
  func notices() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let shop = try ShopUnderTest(
      workspace, target: sandbox.server.address, ["--apple-pay", "sandbox-needs-approval"],
      columns: 40)
    try await shop.logInExternally(as: "user-1")
    try await shop.choose("b")
    try await shop.expect("Number to buy")
    // Two lines for each product where columns don't fit.
    #expect(shop.terminal.screen.contains("  1  Coins\n     4.99 EUR · consumable"))
    shop.terminal.enter("1")
    try await shop.answer("Number, empty to cancel: ", "1")
    try await shop.expect("Waiting for approval: Coins for 4.99 EUR")
    // The question is longer than a line, and so is what is typed behind it.
    try await shop.expect("empty for the menu: ")
    let typed = "nothing that a shop would ever sell to anybody"
    shop.terminal.type(typed)
    try await shop.expect("anybody")
    let waiting = try await sandbox.table("deferred")
    _ = try await sandbox.output("decline", try #require(waiting.last?.first))
    try await shop.expect("Not bought: Coins.")
    try await shop.expect(typed)
    let screen = shop.terminal.screen
    let rest = try #require(screen.ranges(of: "Number to buy").last).lowerBound
    let shown = screen[rest...].replacing("\n", with: " ").replacing("  ", with: " ")
    #expect(
      shown.hasPrefix("Number to buy, i other products, empty for the menu: nothing that"),
      "\(screen)")
    #expect(!screen[..<rest].contains("nothing that"), "\(screen)")
    #expect(screen.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(screen)")
    // Ctrl-U clears the line, and an empty one goes back.
    shop.terminal.type("\u{15}\r")
    try await shop.quit()
    try await sandbox.server.stop()
  }

  @Test("A storefront that changes is told, also while the menu waits; the receipt comes later too")
  func watching() async throws {
    let workspace = try await Workspace()
    try workspace.write(
      """
      {"format":"onside-catalogue/1","app":"com.example.shop",\
      "storefronts":[{"country":"DE"},{"country":"NL"}]}
      {"id":"coins","kind":"consumable","title":"Coins","prices":{"DE":"4.99","NL":"5.49"}}

      """, to: "shop.jsonl")
    let sandbox = try await SandboxUnderTest(workspace)
    let shop = try ShopUnderTest(
      workspace, target: sandbox.server.address, ["--apple-pay", "sandbox-needs-approval"])
    try await shop.logInExternally(as: "user-1")
    try await shop.expect("Choice: ")
    _ = try await sandbox.output("storefront", "NL", "--external-id", "user-1")
    try await shop.expect("Your storefront is NL now (DE before).")
    try await shop.expect("storefront NL")
    try await shop.choose("b")
    try await shop.expect("5.49 EUR")
    try await shop.answer("Number to buy", "1")
    try await shop.answer("Number, empty to cancel: ", "1")
    try await shop.expect("Waiting for approval")
    try await shop.answer("Number to buy", "")
    try await shop.expect("Choice: ")
    let waiting = try await sandbox.table("deferred")
    _ = try await sandbox.output("approve", try #require(waiting.last?.first))
    // The menu makes room for the reminder, and is there again behind it.
    try await shop.expect("Bought: Coins for 5.49 EUR")
    try await shop.answer("r for the receipt, empty to skip: ", "")
    try await shop.expect("1 to finish")
    try await shop.quit()
    try await sandbox.server.stop()
  }

  @Test(
    "Ctrl-C ends with 130, and what is unfinished comes again; one shop has the state at a time")
  func interrupt() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let shop = try ShopUnderTest(workspace, target: server.address)
    try await shop.logInExternally(as: "user-1")
    try await shop.choose("b")
    try await shop.answer("Number to buy", "1")
    try await shop.answer("Number, empty to cancel: ", "1")
    try await shop.answer("empty to skip: ", "")
    try await shop.expect("Number to buy")
    let second = try ShopUnderTest(workspace, target: server.address)
    try await second.expect("in use by another process")
    #expect(try await second.terminal.ended() == 9)
    #expect(!shop.terminal.echoes && second.terminal.echoes)
    shop.terminal.type("half a line\u{3}")
    #expect(try await shop.terminal.ended() == 130)
    #expect(shop.terminal.echoes)
    let again = try ShopUnderTest(workspace, target: server.address)
    try await again.expect("Delivered again, not finished yet: Coins for 4.99 EUR")
    try await again.choose("t")
    try await again.answer("Number to finish", "1")
    try await again.expect("Finished: Coins")
    // The end of the input.
    try await again.expect("Empty for the menu: ")
    again.terminal.type("\u{4}")
    try await again.expect("Goodbye.")
    #expect(try await again.terminal.ended() == 0)
    let killed = try ShopUnderTest(workspace, target: server.address)
    try await killed.expect("Choice: ")
    killed.terminal.signal(SIGTERM)
    #expect(try await killed.terminal.ended() == -SIGTERM)
    #expect(killed.terminal.echoes)
    try await server.stop()
  }

  @Test("A purchase whose outcome isn't known goes on behind the menu, and can't be finished yet")
  func unknownOutcome() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let shop = try ShopUnderTest(
      workspace, target: server.address, ["--apple-pay", "sandbox-unavailable"])
    try await shop.logInExternally(as: "user-1")
    try await shop.choose("b")
    try await shop.answer("Number to buy", "1")
    try await shop.answer("Number, empty to cancel: ", "1")
    try await shop.expect("The outcome isn't known yet.")
    try await shop.answer("Number to buy", "")
    try await shop.choose("t")
    try await shop.expect("1 Coins 4.99 EUR outcome not known yet")
    try await shop.answer("Number to finish", "1")
    try await shop.expect("! ")
    try await shop.answer("Number to finish", "")
    try await shop.quit()
    try await server.stop()
  }

  @Test("A session that the service doesn't accept any more is told, and the person logs in again")
  func sessionLost() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let shop = try ShopUnderTest(workspace, target: sandbox.server.address)
    try await shop.logInExternally(as: "user-1")
    try await shop.expect("Choice: ")
    _ = try await sandbox.output(
      "fault", "add", "--method", "ProductsService/ListProducts", "--external-id", "user-1",
      "--count", "1", "--status", "UNAUTHENTICATED", "--reason", "SESSION_EXPIRED")
    shop.terminal.enter("b")
    try await shop.expect("The session is over")
    try await shop.answer("Number to buy", "")
    try await shop.expect("Not logged in")
    try await shop.logInExternally(as: "user-1")
    try await shop.quit()
    try await sandbox.server.stop()
  }

  @Test("Ctrl-Z stops the shop with the terminal as it was, and it goes on where it was")
  func stop() async throws {
    let workspace = try await Workspace()
    let shop = try ShopUnderTest(workspace, target: "127.0.0.1:9")
    try await shop.expect("Choice: ")
    shop.terminal.type("ab")
    try await shop.expect("ab")
    shop.terminal.type("\u{1A}")
    try await shop.terminal.stopped()
    #expect(shop.terminal.echoes)
    shop.terminal.signal(SIGCONT)
    try await shop.expect("Choice: ab")
    shop.terminal.type("\u{15}q\r")
    #expect(try await shop.terminal.ended() == 0)
  }

  @Test("What goes wrong is told with what to do, and ends nothing")
  func failures() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let shop = try ShopUnderTest(workspace, target: server.address, ["--no-apple-pay"])
    try await shop.answer("Choice: ", "nonsense")
    try await shop.expect("Enter one of the letters")
    try await shop.choose("9")
    try await shop.expect("Enter one of the letters")
    try await shop.choose("e")
    // Control characters aren't an identifier: the service refuses, and the phone login follows.
    try await shop.answer("Your identifier in the app", String(repeating: "x", count: 2_000))
    try await shop.expect("! ")
    try await shop.expect("The login by phone follows instead.")
    try await shop.answer("Phone number", "")
    try await shop.expect("Not logged in: The user closed the login.")
    try await shop.logInExternally(as: "user-1")
    try await shop.choose("b")
    for wrong in ["0", "3", "-1", "n", "coins", "99999999999999999999"] {
      try await shop.answer("Number to buy", wrong)
      try await shop.expect("Enter the number of a product, from 1 to 2.")
    }
    try await shop.answer("Number to buy", "1")
    try await shop.expect("pays through Apple Pay, which isn't available here")
    try await shop.answer("Number to buy", "i")
    try await shop.answer("Identifiers of products", "nothing coins")
    try await shop.expect("unknown, or not sold in DE")
    try await server.stop()
    try await shop.answer("Number to buy", "2")
    try await shop.expect("Try again; if it stays so, check the network, --target and --ca.")
    try await shop.answer("Number to buy", "")
    try await shop.quit()
  }

  @Test("A script goes through it line by line, without colours")
  func script() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let lines = ["x", "e", "user-1", "b", "1", "1", "", "", "t", "1", "", "l"]
    let arguments = ShopUnderTest.arguments(workspace, target: server.address)
    let script = try RunningProcess(
      "/bin/sh",
      [
        "-c", "printf '\(lines.joined(separator: "\\n"))' | \"$0\" \"$@\"",
        Executables.folder + "/onside",
      ] + arguments, folder: workspace.folder)
    let end = await script.ended()
    #expect(end.status == 0 && end.errors == "")
    #expect(!end.output.contains("\u{1B}"))
    for text in [
      "! Enter one of the letters", "Logged in as user-1 (external).", "Bought: Coins for 4.99 EUR",
      "Finished: Coins", "Logged out.", "Goodbye.",
    ] {
      #expect(end.output.contains(text), "\(text): \(end.output)")
    }
    try await server.stop()
  }

  @Test("NO_COLOR and a dumb terminal have no escape sequences for looks")
  func colours() async throws {
    let workspace = try await Workspace()
    let file = Workspace.packageRoot + "/Examples/catalogues/shop-v4.storekit"
    for (environment, hasLooks) in [
      ([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
    ] {
      let shop = try ShopUnderTest(
        workspace, target: nil, ["--storekit", file], environment: environment)
      try await shop.quit()
      #expect(shop.terminal.hasLooks == hasLooks)
    }
  }

  @Test("Local testing: without a server, with the file's products, and a parent to play")
  func local() async throws {
    let workspace = try await Workspace()
    let file = try workspace.write(
      """
      {"version": {"major": 4, "minor": 0},
       "settings": {"_locale": "de_DE", "_storefront": "DEU", "_askToBuyEnabled": true},
       "products": [{"productID": "coins", "type": "Consumable", "displayPrice": "4.99",
         "localizations": [{"locale": "de", "displayName": "Münzen", "description": "Viele"}]}]}
      """, to: "local.storekit")
    let shop = try ShopUnderTest(workspace, target: nil, ["--storekit", file])
    try await shop.choose("b")
    try await shop.answer("Number to buy", "1")
    try await shop.answer("How to log in", "p")
    try await shop.answer("Phone number", "+491701234567")
    try await shop.answer("Code, r to send another", "123456")
    try await shop.answer("Number, empty to cancel: ", "1")
    try await shop.expect("Waiting for approval: Münzen for 4.99 EUR")
    try await shop.answer("Number to buy", "")
    try await shop.choose("a")
    try await shop.answer("y N to approve", "y 2")
    try await shop.expect("as \"y 1\"")
    try await shop.answer("y N to approve", "y 1")
    try await shop.expect("Bought: Münzen for 4.99 EUR")
    try await shop.choose("r")
    try await shop.answer("Number to see its receipt", "1")
    try await shop.expect("Start the shop without --storekit to have it.")
    try await shop.answer("Number to see its receipt", "")
    try await shop.quit()
  }

  @Test("A wrong command line, file or certificate ends before anything is asked")
  func usage() async throws {
    let workspace = try await Workspace()
    let broken = try workspace.write("{", to: "broken.storekit")
    for (arguments, status, word) in [
      (["--json"], Int32(2), "--json"), (["--storekit", broken], 6, "broken.storekit"),
      (["--products", "/none.txt"], 6, "/none.txt"),
      (["--products", workspace.folder + "/shop.jsonl", "--app", "com.example.none"], 6, "--app"),
      (["--ca", "/none.pem"], 4, "/none.pem"),
      (["--app-key-file", "/none.key"], 9, "/none.key"),
      (["--state", workspace.folder + "/shop.jsonl/state"], 9, "shop.jsonl/state"),
    ] {
      let end = try await RunningProcess("onside", ["shop"] + arguments).ended()
      expectFailure(end, of: "onside", status, [word])
    }
    let help = try await RunningProcess("onside", ["shop", "--help"]).ended()
    #expect(help.status == 0)
    for word in ["--storekit", "--products", "--state", "--apple-pay", "130", "NO_COLOR", "--ca"] {
      #expect(help.output.contains(word))
    }
  }
}
