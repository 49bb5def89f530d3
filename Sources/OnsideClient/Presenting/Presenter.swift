/// Shows the marketplace's screens to a user, and brings back what the user wants.
///
/// The client library decides what is shown when; a presenter only shows it. Every function may
/// take as long as a person does. When the task is cancelled, the screen is of no use any more:
/// close it and return as if the user had closed it.
public protocol Presenter: Sendable {
  /// Whether this device can pay with Apple Pay now.
  var isApplePayAvailable: Bool { get async }

  /// Asks for a phone number to sign in with.
  func phoneNumber(_ screen: PhoneNumberScreen) async -> PhoneNumberAnswer

  /// Asks for the code that was sent.
  func phoneCode(_ screen: PhoneCodeScreen) async -> PhoneCodeAnswer

  /// Opens a URL in another app.
  ///
  /// - Returns: false if no app takes it.
  func open(url: String) async -> Bool

  /// Lets the user pay.
  func payment(_ sheet: PaymentSheet) async -> PaymentAnswer

  /// Shows the saved cards until the user is done with them.
  func paymentMethods(_ screen: PaymentMethodsScreen) async -> PaymentMethodsAnswer

  /// Tells the user of an external profile that the purchase isn't listed in the store by itself,
  /// and offers a receipt.
  func receiptReminder(_ screen: ReceiptReminderScreen) async -> ReceiptReminderAnswer

  /// Shows a receipt, and keeps it where the user wants.
  func receipt(_ receipt: ReceiptRecord) async
}
