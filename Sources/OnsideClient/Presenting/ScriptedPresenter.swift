import Synchronization

/// A presenter without a person: answers by functions, and remembers what was shown. For tests and
/// simulated clients.
///
/// Without further ado it pays with Apple Pay, skips receipts, and cancels everything else.
public final class ScriptedPresenter: Presenter {
  /// What a presenter was asked to show.
  public enum Shown: Sendable, Hashable {
    /// A phone number was asked for.
    case phoneNumber(PhoneNumberScreen)

    /// A code was asked for.
    case phoneCode(PhoneCodeScreen)

    /// A URL was opened.
    case url(String)

    /// The payment sheet.
    case payment(PaymentSheet)

    /// The saved cards.
    case paymentMethods(PaymentMethodsScreen)

    /// The offer of a receipt.
    case receiptReminder(ReceiptReminderScreen)

    /// A receipt.
    case receipt(ReceiptRecord)
  }

  /// The answers. Each function may wait.
  public struct Script: Sendable {
    /// Whether Apple Pay can be used.
    public var isApplePayAvailable = true

    /// What is entered as the phone number.
    public var phoneNumber: @Sendable (PhoneNumberScreen) async -> PhoneNumberAnswer = { _ in
      .cancel
    }

    /// What is entered as the code.
    public var phoneCode: @Sendable (PhoneCodeScreen) async -> PhoneCodeAnswer = { _ in .cancel }

    /// What becomes of a URL; false: no app takes it.
    public var open: @Sendable (String) async -> Bool = { _ in false }

    /// What is chosen on the payment sheet.
    public var payment: @Sendable (PaymentSheet) async -> PaymentAnswer = { sheet in
      sheet.methods.contains(.applePay) ? .applePay(token: "sandbox-paid") : .cancel
    }

    /// What is done with the cards.
    public var paymentMethods: @Sendable (PaymentMethodsScreen) async -> PaymentMethodsAnswer = {
      _ in .done
    }

    /// What is done about a receipt.
    public var receiptReminder: @Sendable (ReceiptReminderScreen) async -> ReceiptReminderAnswer = {
      _ in .skip
    }

    /// The answers that are given without further ado.
    public init() {}
  }

  private struct State {
    var script: Script
    var shown: [Shown] = []
  }

  private let state: Mutex<State>

  /// A presenter with these answers.
  public init(_ script: Script = Script()) {
    state = Mutex(State(script: script))
  }

  /// The answers from now on.
  public var script: Script {
    get { state.withLock { $0.script } }
    set { state.withLock { $0.script = newValue } }
  }

  /// Everything that was shown, in order.
  public var shown: [Shown] { state.withLock { $0.shown } }

  private func show(_ screen: Shown) -> Script {
    state.withLock { state in
      state.shown.append(screen)
      return state.script
    }
  }

  public var isApplePayAvailable: Bool { state.withLock { $0.script.isApplePayAvailable } }

  public func phoneNumber(_ screen: PhoneNumberScreen) async -> PhoneNumberAnswer {
    await show(.phoneNumber(screen)).phoneNumber(screen)
  }

  public func phoneCode(_ screen: PhoneCodeScreen) async -> PhoneCodeAnswer {
    await show(.phoneCode(screen)).phoneCode(screen)
  }

  public func open(url: String) async -> Bool {
    await show(.url(url)).open(url)
  }

  public func payment(_ sheet: PaymentSheet) async -> PaymentAnswer {
    await show(.payment(sheet)).payment(sheet)
  }

  public func paymentMethods(_ screen: PaymentMethodsScreen) async -> PaymentMethodsAnswer {
    await show(.paymentMethods(screen)).paymentMethods(screen)
  }

  public func receiptReminder(_ screen: ReceiptReminderScreen) async -> ReceiptReminderAnswer {
    await show(.receiptReminder(screen)).receiptReminder(screen)
  }

  public func receipt(_ receipt: ReceiptRecord) async {
    _ = show(.receipt(receipt))
  }
}
