import OnsideClient

/// For processes without a screen: everything that a user would be asked is cancelled, and there is
/// no Apple Pay.
struct HeadlessPresenter: Presenter {
  var isApplePayAvailable: Bool { false }

  func phoneNumber(_ screen: PhoneNumberScreen) async -> PhoneNumberAnswer { .cancel }
  func phoneCode(_ screen: PhoneCodeScreen) async -> PhoneCodeAnswer { .cancel }
  func open(url: String) async -> Bool { false }
  func payment(_ sheet: PaymentSheet) async -> PaymentAnswer { .presentationFailed }
  func paymentMethods(_ screen: PaymentMethodsScreen) async -> PaymentMethodsAnswer { .done }
  func receiptReminder(_ screen: ReceiptReminderScreen) async -> ReceiptReminderAnswer { .skip }
  func receipt(_ receipt: ReceiptRecord) async {}
}
