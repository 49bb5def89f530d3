import OnsideDomain
import Synchronization
import Testing

@testable import OnsideClient

/// A person at a terminal, whose lines are written down here.
@Suite struct TerminalPresenterTests {
  private final class Paper: Terminal {
    private let state: Mutex<([String], String)>

    init(_ lines: [String]) { state = Mutex((lines, "")) }

    var text: String { state.withLock { $0.1 } }

    func write(_ text: String) async { state.withLock { $0.1 += text } }

    func readLine() async -> String? {
      state.withLock { $0.0.isEmpty ? nil : $0.0.removeFirst() }
    }
  }

  private func sheet(_ methods: [PaymentSheet.Method]) throws -> PaymentSheet {
    PaymentSheet(
      product: try QueueMachineTests.product("coins\u{1B}[2J"),
      storefront: QueueMachineTests.storefront, profileKind: .regular, methods: methods)
  }

  private let card = CardRecord(
    id: "c1", brand: "Visa", lastFour: "4242", expiryMonth: 3, expiryYear: 2031, isDefault: true)

  @Test func aNumberAndACodeAreAskedFor() async {
    let paper = Paper([" +49170 ", "r", "n", "123456", ""])
    let presenter = TerminalPresenter(paper)
    let number = await presenter.phoneNumber(PhoneNumberScreen(appID: "shop", problem: "wrong"))
    #expect(number == .number("+49170"))
    let screen = PhoneCodeScreen(
      phoneNumber: "+49170", expiresAtMilliseconds: 0, resendAfterMilliseconds: 0, triesLeft: 2)
    var answers: [PhoneCodeAnswer] = []
    for _ in 0..<4 { answers.append(await presenter.phoneCode(screen)) }
    #expect(answers == [.resend, .otherNumber, .code("123456"), .cancel])
    #expect(paper.text.contains("! wrong"))
    #expect(paper.text.contains("Tries left: 2"))
    // The input is at its end.
    #expect(await presenter.phoneNumber(PhoneNumberScreen(appID: "shop")) == .cancel)
  }

  @Test func aWayToPayIsChosen() async throws {
    let paper = Paper(["7", "1", "2", "3", "4111 1111", "03/2031", "123", ""])
    let presenter = TerminalPresenter(paper, applePayToken: { "token" })
    let methods: [PaymentSheet.Method] = [.savedCard(card), .applePay, .newCard]
    #expect(presenter.isApplePayAvailable)
    #expect(await presenter.payment(try sheet(methods)) == .savedCard(id: "c1"))
    #expect(await presenter.payment(try sheet(methods)) == .applePay(token: "token"))
    let entry = CardEntry(
      number: "4111 1111", expiryMonth: 3, expiryYear: 2031, securityCode: "123")
    #expect(await presenter.payment(try sheet(methods)) == .newCard(entry))
    #expect(await presenter.payment(try sheet(methods)) == .cancel)
    #expect(paper.text.contains("Visa ending in 4242, 03/2031"))
    #expect(!paper.text.contains("\u{1B}"))
  }

  @Test func cardsAreLookedAfter() async {
    let presenter = TerminalPresenter(Paper(["r 1", "d 1", "x", ""]))
    let screen = PaymentMethodsScreen(cards: [card])
    var answers: [PaymentMethodsAnswer] = []
    for _ in 0..<4 { answers.append(await presenter.paymentMethods(screen)) }
    #expect(answers == [.remove(cardID: "c1"), .makeDefault(cardID: "c1"), .done, .done])
  }

  @Test func aReceiptIsOfferedShownAndKept() async throws {
    let paper = Paper(["r", ""])
    let presenter = TerminalPresenter(paper, keepReceipt: { "receipt-\($0.number).txt" })
    let screen = ReceiptReminderScreen(
      transaction: PaymentTransaction(
        payment: Payment(try QueueMachineTests.product()),
        storefront: QueueMachineTests.storefront))
    #expect(await presenter.receiptReminder(screen) == .receipt)
    #expect(await presenter.receiptReminder(screen) == .skip)
    let record = try QueueMachineTests.record("t-1", .purchased)
    await presenter.receipt(ReceiptRecord(record, appName: "Shop", paidBy: "Apple Pay"))
    #expect(paper.text.contains("Price:    4.99 EUR"))
    #expect(paper.text.contains("Kept in receipt-t-1.txt"))
  }
}
