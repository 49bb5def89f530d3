import Foundation
import Testing

/// A person at a pseudo-terminal goes through the shop, against the real service over TLS.
@Suite("A person in onside shop", .timeLimit(.minutes(3)))
struct ShopJourneyTests {
  private static let number = "+491701234567"

  @Test("External: log in, browse, pay with Apple Pay, receipt, finish, log out")
  func external() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let shop = try ShopUnderTest(workspace, target: server.address)
    try await shop.expect("Onside shop: com.example.shop from \(server.address)")
    try await shop.expect("Not logged in")
    try await shop.logInExternally(as: "user-1")
    let menu = try await shop.expect("Choice: ")
    // An external profile has no cards.
    #expect(menu.contains("storefront DE") && !menu.contains("saved cards"))
    shop.terminal.enter("b")
    let list = try await shop.expect("Number to buy")
    #expect(list.contains("1 Coins 4.99 EUR consumable"))
    #expect(list.contains("2 no-ads - unsupported for an external profile"))
    shop.terminal.enter("2")
    try await shop.expect("an external profile buys consumables only")
    try await shop.answer("Number to buy", "1")
    let sheet = try await shop.expect("Number, empty to cancel: ")
    #expect(sheet.contains("Buy Coins for 4.99 EUR") && sheet.contains("1 Apple Pay"))
    #expect(!sheet.contains("card"))
    shop.terminal.enter("1")
    try await shop.expect("Bought: Coins for 4.99 EUR")
    try await shop.expect("isn't listed in the Onside Store by itself")
    try await shop.answer("r for the receipt, empty to skip: ", "r")
    let receipt = try await shop.expect("Saved as ")
    #expect(receipt.contains("Product: Coins") && receipt.contains("Paid by: Apple Pay"))
    let folder = workspace.folder + "/state/receipts"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.count == 1 && files.first?.hasPrefix("receipt-") == true)
    try await shop.answer("Number to buy", "")
    try await shop.expect("1 to finish")
    try await shop.choose("t")
    let before = try await shop.expect("Number to finish")
    #expect(before.contains("1 Coins 4.99 EUR purchased, to finish"))
    shop.terminal.enter("1")
    try await shop.expect("Finished: Coins")
    try await shop.expect("purchased, finished")
    try await shop.answer("Empty for the menu: ", "")
    try await shop.choose("l")
    try await shop.expect("Logged out.")
    try await shop.expect("Not logged in")
    try await shop.quit()
    #expect(shop.terminal.echoes)
    try await server.stop()
  }

  @Test("By phone: the code from the sandbox, a new card, a receipt, the card's removal, log out")
  func phone() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let shop = try ShopUnderTest(workspace, target: sandbox.server.address)
    try await logInByPhone(shop, sandbox)
    // A card, by way of the saved cards.
    try await shop.choose("c")
    try await shop.answer("empty when done: ", "x 9")
    try await shop.expect("Enter a, or d or r and the number of a card")
    try await shop.answer("empty when done: ", "a")
    try await enterCard(shop, "4242 4242 4242 4242")
    try await shop.expect("1 Visa ending in 4242, 12/2031 (default)")
    try await shop.answer("empty when done: ", "")
    // What an external profile can't have, with that card.
    try await shop.choose("b")
    try await shop.answer("Number to buy", "2")
    let sheet = try await shop.expect("Number, empty to cancel: ")
    #expect(sheet.contains("Buy No ads for 2.99 EUR"))
    #expect(sheet.contains("1 Visa ending in 4242") && sheet.contains("2 Apple Pay"))
    shop.terminal.enter("1")
    try await shop.expect("Bought: No ads for 2.99 EUR")
    // Another card, which is declined.
    try await shop.answer("Number to buy", "1")
    try await shop.answer("Number, empty to cancel: ", "3")
    try await enterCard(shop, "4000 0000 0000 0002")
    try await shop.expect("Not bought: Coins. The payment was declined.")
    try await shop.answer("Number to buy", "")
    try await shop.choose("r")
    try await shop.answer("Number to see its receipt", "1")
    try await shop.expect("Paid by: Visa")
    try await shop.answer("s to save it", "s")
    try await shop.expect("Saved as ")
    try await shop.answer("Number to see its receipt", "")
    try await lookAfterCards(shop)
    try await shop.choose("l")
    try await shop.expect("Logged out.")
    try await shop.quit()
    try await sandbox.server.stop()
  }

  private func logInByPhone(_ shop: ShopUnderTest, _ sandbox: SandboxUnderTest) async throws {
    try await shop.choose("p")
    try await shop.answer("Phone number", "0170")
    // A wrong number is asked for again, with the reason.
    try await shop.expect("! ")
    try await shop.answer("Phone number", Self.number)
    try await shop.answer("Code, r to send another", "000000x")
    try await shop.expect("! ")
    let codes = try await sandbox.table("codes", Self.number)
    try await shop.answer("Code, r to send another", try #require(codes.last?.first))
    try await shop.expect("Logged in as ")
  }

  private func enterCard(_ shop: ShopUnderTest, _ number: String) async throws {
    try await shop.answer("Card number: ", number)
    try await shop.answer("Expires (MM/YYYY): ", "12/31")
    try await shop.answer("Security code: ", "123")
  }

  private func lookAfterCards(_ shop: ShopUnderTest) async throws {
    try await shop.choose("c")
    try await shop.answer("empty when done: ", "d 2")
    try await shop.expect("ending in 0002, 12/2031 (default)")
    try await shop.answer("empty when done: ", "r 2")
    try await shop.expect("1 Visa ending in 4242, 12/2031 (default)")
    try await shop.answer("empty when done: ", "")
  }

  @Test("Through the store app: cancelled, refused, a wrong URL, then approved")
  func storeApp() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let shop = try ShopUnderTest(workspace, target: sandbox.server.address)
    let question = "press Enter to cancel: "
    try await shop.choose("s")
    let told = try await shop.expect(question)
    #expect(told.contains("onside sandbox approve ") && told.contains("Waiting for the approval"))
    shop.terminal.enter("")
    try await shop.expect("Not logged in: you cancelled it.")
    for decision in [["decline"], ["approve", "--phone", Self.number]] {
      try await shop.choose("s")
      try await shop.answer(question, "onside-shop://onside/login?state=other&code=1")
      try await shop.expect("That isn't the answer to this login")
      try await shop.expect(question)
      let logins = try await sandbox.table("logins")
      // The one that was cancelled waits there too, the oldest first.
      let login = try #require(logins.last?.first)
      let end = try await sandbox.run([decision[0], login] + decision.dropFirst())
      let line = try #require(end.output.split(separator: "\n").first { $0.hasPrefix("open ") })
      shop.terminal.enter(String(line))
      if decision.count == 1 {
        try await shop.expect("Not logged in: The user refused in the store app.")
      } else {
        try await shop.expect("Logged in as ")
        try await shop.expect("saved cards")
      }
    }
    try await shop.quit()
    try await sandbox.server.stop()
  }
}
