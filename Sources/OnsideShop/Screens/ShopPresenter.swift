import OnsideClient
import OnsideDomain
import Synchronization

/// Shows the marketplace's screens in turn with the shop's own.
final class ShopPresenter: Presenter {
  private let terminal: ShopTerminal
  private let turns: ScreenTurns
  private let outcomes: Outcomes
  private let base: TerminalPresenter
  private let receipts: ReceiptFolder
  private let storeApp = Mutex<(@Sendable (String) -> Void)?>(nil)

  init(
    _ terminal: ShopTerminal, _ turns: ScreenTurns, _ outcomes: Outcomes, receipts: ReceiptFolder,
    applePayToken: String?
  ) {
    self.terminal = terminal
    self.turns = turns
    self.outcomes = outcomes
    self.receipts = receipts
    let pay: (@Sendable () -> String)? =
      if let applePayToken { { applePayToken } } else { nil }
    base = TerminalPresenter(terminal, applePayToken: pay)
  }

  /// Takes the URL when the store app is to be opened; nil: nobody does.
  func setStoreApp(_ open: (@Sendable (String) -> Void)?) { storeApp.withLock { $0 = open } }

  var isApplePayAvailable: Bool { base.isApplePayAvailable }

  func phoneNumber(_ screen: PhoneNumberScreen) async -> PhoneNumberAnswer {
    await turns.use { await base.phoneNumber(screen) }
  }

  func phoneCode(_ screen: PhoneCodeScreen) async -> PhoneCodeAnswer {
    await turns.use { await base.phoneCode(screen) }
  }

  func open(url: String) async -> Bool {
    guard let open = storeApp.withLock({ $0 }) else { return false }
    open(url)
    return true
  }

  func payment(_ sheet: PaymentSheet) async -> PaymentAnswer {
    outcomes.sheetIsShown()
    defer { outcomes.sheetIsAnswered() }
    return await turns.use { await base.payment(sheet) }
  }

  func paymentMethods(_ screen: PaymentMethodsScreen) async -> PaymentMethodsAnswer {
    await turns.use { await base.paymentMethods(screen) }
  }

  func receiptReminder(_ screen: ReceiptReminderScreen) async -> ReceiptReminderAnswer {
    await turns.use {
      outcomes.reminderIsShown(screen.transaction.id)
      return await base.receiptReminder(screen)
    }
  }

  func receipt(_ receipt: ReceiptRecord) async {
    terminal.show("\n" + ReceiptText.of(receipt) + "\n" + keep(receipt))
  }

  /// Saves a receipt; the answer says where, or why not.
  func keep(_ receipt: ReceiptRecord) -> String {
    receipts.keep(receipt).map { "Saved as \(PlainText.of($0))" }
      ?? "The receipt can't be saved in \(PlainText.of(receipts.path)): check the folder, "
      + "or name another with --receipts."
  }

  /// Asks whether a purchase goes on in another storefront than the one that it was begun in.
  func continues(_ transaction: PaymentTransaction, in storefront: Storefront) async -> Bool {
    await turns.use {
      let product = PlainText.of(transaction.payment.product.title)
      terminal.show(
        "Your storefront was \(transaction.storefront.country.alpha2) and is "
          + "\(storefront.country.alpha2) now; the price may be another one.")
      await terminal.write("Go on with buying \(product)? (y or n) ")
      return ["y", "yes"].contains(await terminal.readLine()?.lowercased())
    }
  }
}

/// A receipt on a terminal.
enum ReceiptText {
  static func of(_ receipt: ReceiptRecord) -> String {
    receipt.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { PlainText.of(String($0)) }.joined(separator: "\n")
  }
}
