import OnsideClient
import OnsideDomain
import Testing

@testable import OnsideShop

/// The shop on a `.storekit` file, with lines in place of a person.
@Suite("The shop, offline", .timeLimit(.minutes(1))) struct ShopTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func file(_ settings: String = "") throws -> String {
    let products = (1...12).map {
      """
      {"productID": "p\($0)", "type": "\($0 == 2 ? "NonConsumable" : "Consumable")",
       "displayPrice": "\($0)", "localizations": [{"locale": "en_US", "displayName": "No \($0)"}]}
      """
    }
    return try folder.write(
      """
      {"version": {"major": 4, "minor": 0}, "products": [\(products.joined(separator: ","))],
       "settings": {"_locale": "en_US", "_storefront": "USA"\(settings)}}
      """, to: "shop.storekit")
  }

  /// Runs a shop with these lines as its input, and gives what it wrote.
  private func run(_ lines: [String], settings: String = "") async throws -> String {
    let paper = Paper()
    let file = try file(settings)
    let shop = try Shop(
      Shop.Settings(
        appID: "shop", source: "a file",
        productIdentifiers: try ProductFile.identifiers(path: file, app: "shop"),
        applePayToken: "sandbox-paid", receiptFolder: folder.path + "/receipts",
        patience: .seconds(30), pageSize: 5),
      terminal: paper.terminal()
    ) { presenter throws(OnsideError) in
      try Marketplace(
        storeKitFile: file, appID: "shop", presenter: presenter,
        configuration: Marketplace.Configuration(stateDirectory: folder.path + "/state"))
    }
    paper.type(lines.map { $0 + "\n" }.joined())
    paper.end()
    await shop.run()
    await shop.stop()
    return paper.text
  }

  private let login = ["p", "+491701234567", "123456"]

  @Test("Pages are turned, as far as there are any")
  func pages() async throws {
    let text = try await run(["b", "p", "n", "n", "n", "p", ""])
    let pages = text.matches(of: /Page (\d) of 3/).compactMap { Int($0.1) }
    #expect(pages == [1, 2, 3, 2])
    #expect(text.contains("  12  No 12    12.00 USD  consumable\n"))
    #expect(text.ranges(of: "! Enter the number of a product, from 1 to 12.").count == 2)
  }

  @Test("Numbers of lines choose in the menu as letters do")
  func numbers() async throws {
    let text = try await run(["2", "+491701234567", "123456", "7"])
    #expect(text.contains("Logged in as +491701234567.") && text.hasSuffix("Goodbye.\n"))
  }

  @Test("What is owned is given back instead of being sold again; restoring brings it too")
  func owned() async throws {
    let text = try await run(
      login + ["b", "2", "1", "", "t", "1", "", "b", "2", "1", "", "o", "q"])
    #expect(text.ranges(of: "Bought: No 2 for 2.00 USD").count == 1)
    #expect(text.contains("Finished: No 2\n"))
    #expect(text.contains("Restored: No 2\n"))
    #expect(text.contains("All purchases are restored."))
  }

  @Test("A payment that fails is told with the reason, and can be finished")
  func failure() async throws {
    let text = try await run(
      login + ["b", "1", "1", "", "t", "1", "", "q"],
      settings: ", \"_failTransactionsEnabled\": true")
    #expect(text.contains("! Not bought: No 1. The payment was declined."))
    #expect(text.contains("failed, to finish") && text.contains("failed, finished"))
  }

  @Test("A sheet that is closed, and a login that is, buy nothing")
  func cancelled() async throws {
    let text = try await run(["b", "1", "p", "", ""] + [""] + login + ["b", "1", "", "", "q"])
    #expect(text.contains("! Not logged in: The user closed the login."))
    #expect(text.contains("! Not bought: No 1. The user didn't pay."))
  }

  @Test("The end of the input ends the shop wherever it is")
  func end() async throws {
    for depth in 0...4 {
      let lines = ["b", "1"] + login
      let text = try await run(Array(lines.prefix(depth)))
      #expect(text.hasSuffix("Goodbye.\n"))
    }
  }

  @Test("What is not finished is delivered again at the next start")
  func again() async throws {
    _ = try await run(login + ["b", "1", "1", "", "q"])
    let text = try await run(login + ["t", "1", "", "q"])
    #expect(text.contains("Delivered again, not finished yet: No 1 for 1.00 USD"))
    #expect(text.contains("Finished: No 1"))
  }

  @Test("Errors say what to do")
  func advice() {
    let text = ErrorText.of(OnsideError(.unavailable, "connection \u{7}refused"))
    #expect(text.hasPrefix("Connection ?refused. Try again") && text.contains("--target"))
    #expect(ErrorText.of(OnsideError(.failed, "")) == "It failed.")
    let refused = OnsideError(.refused, "no such app!", reason: .appNotRegistered)
    #expect(ErrorText.of(refused) == "No such app! Name the app that the service knows with --app.")
  }
}
