import OnsideClient

/// A presenter that wants to know where and how a screen is shown. An addition to the SDK's
/// interface.
public protocol OnsidePlacedPresenter: Presenter {
  /// The next screen is shown like this.
  @MainActor func willShow(_ screen: OnsideScreen, _ placement: OnsideScreenPlacement)
}

/// Shows the marketplace's screens with the app's presenter, after asking the app's delegate about
/// each; without Apple Pay in a build that has none.
struct EditionPresenter: Presenter {
  let base: any Presenter
  let hasApplePay: Bool

  /// What the app says about a screen.
  let place: @MainActor @Sendable (OnsideScreen) -> OnsideScreenPlacement

  var isApplePayAvailable: Bool {
    get async { hasApplePay ? await base.isApplePayAvailable : false }
  }

  private func announce(_ screen: OnsideScreen) async {
    await MainActor.run {
      let placement = place(screen)
      (base as? any OnsidePlacedPresenter)?.willShow(screen, placement)
    }
  }

  func phoneNumber(_ screen: PhoneNumberScreen) async -> PhoneNumberAnswer {
    await announce(.login)
    return await base.phoneNumber(screen)
  }

  func phoneCode(_ screen: PhoneCodeScreen) async -> PhoneCodeAnswer {
    await announce(.login)
    return await base.phoneCode(screen)
  }

  func open(url: String) async -> Bool { await base.open(url: url) }

  func payment(_ sheet: PaymentSheet) async -> PaymentAnswer {
    await announce(.payment)
    let answer = await base.payment(sheet)
    if case .applePay = answer, !hasApplePay { return .presentationFailed }
    return answer
  }

  func paymentMethods(_ screen: PaymentMethodsScreen) async -> PaymentMethodsAnswer {
    await announce(.paymentMethodsManager)
    return await base.paymentMethods(screen)
  }

  func receiptReminder(_ screen: ReceiptReminderScreen) async -> ReceiptReminderAnswer {
    await announce(.externalAccountNotification)
    return await base.receiptReminder(screen)
  }

  func receipt(_ receipt: ReceiptRecord) async {
    await announce(.externalAccountNotification)
    await base.receipt(receipt)
  }
}
