import Foundation
import OnsideClient
import OnsideKit
@testable import OnsideKitCore
import Synchronization
import Testing

extension LibraryTests {
  @Suite("At a terminal") @MainActor struct Terminals {
    /// A person who types these lines, and what the person reads.
    private final class Paper: Terminal {
      private let state: Mutex<(lines: [String], text: String)>
      private let endings: AsyncStream<Void>
      private let ends: AsyncStream<Void>.Continuation

      init(_ lines: [String]) {
        state = Mutex((lines, ""))
        (endings, ends) = AsyncStream.makeStream()
      }

      var text: String { state.withLock { $0.text } }

      func write(_ text: String) async {
        state.withLock { $0.text += text }
        if text.hasPrefix("Kept in ") { ends.yield() }
      }

      func readLine() async -> String? {
        state.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
      }

      /// Waits until a receipt was kept.
      func kept() async { for await _ in endings { break } }
    }

    @Test("A purchase, its reminder, which says where it isn't listed, and a receipt that is kept")
    func receipt() async throws {
      try await Kit.run(initializes: false) { kit, Onside in
        let paper = Paper(["1", "r"])
        let folder = ReceiptFolder(path: kit.service.folder + "/receipts")
        var configuration = kit.configuration
        configuration.presenter = TerminalPresenter(
          paper, applePayToken: { "sandbox-paid" }, keepReceipt: { folder.keep($0) })
        Onside.initialize(configuration: configuration)
        try await kit.logIn("user-1", Onside)
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins, token: "order-7").get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        await paper.kept()
        #expect(paper.text.contains("Buy Coins for 4.99 EUR"))
        #expect(paper.text.contains("isn't listed in the Onside Store by itself"))
        let number = try #require(bought.transactionIdentifier)
        let file = "\(folder.path)/receipt-\(number).txt"
        let receipt = try String(contentsOfFile: file, encoding: .utf8)
        for part in ["Receipt \(number)", "4.99 EUR", "Apple Pay", "order-7", "Coins"] {
          #expect(receipt.contains(part), "\(part)")
        }
        #expect(paper.text.contains(receipt))
        #expect(paper.text.contains("Kept in \(file)"))
      }
    }
  }
}
