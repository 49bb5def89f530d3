#if canImport(UIKit)
  public import UIKit
#endif

/// A screen of the library.
///
/// Source: external-login.txt names `externalAccountNotification`. The SDK has others, whose names
/// aren't known: a `switch` over this needs a default.
public enum OnsideScreen: Sendable {
  /// Phone number and code.
  case login

  /// The payment sheet.
  case payment

  /// The saved cards.
  case paymentMethodsManager

  /// After an external profile's purchase: the receipt reminder, and the receipt.
  case externalAccountNotification
}

/// Light or dark.
public enum OnsideUIThemeMode: Sendable {
  /// As the system is.
  case auto
  case light
  case dark
}

/// How the library's screens look.
public protocol OnsideAppearance: AnyObject {
  /// Sets the theme of all screens whose delegate doesn't say otherwise.
  @MainActor func setThemeMode(_ mode: OnsideUIThemeMode)
}

/// Where and how a screen is shown, as the app's delegate has decided. An addition to the SDK's
/// interface, for presenters.
public struct OnsideScreenPlacement {
  /// The delegate's choice for this screen, or the appearance's.
  public var theme: OnsideUIThemeMode

  #if canImport(UIKit)
    /// The delegate's choice; nil: the presenter picks one.
    public var windowScene: UIWindowScene?
  #endif
}
