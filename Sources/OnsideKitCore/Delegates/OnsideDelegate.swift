#if canImport(UIKit)
  public import UIKit
#endif

/// What the library asks of the app. Every function has a default.
///
/// The library holds the delegate weakly, and asks on the main actor. Source: the SDK's page on
/// customizing its behaviour.
public protocol OnsideDelegate: AnyObject {
  #if canImport(UIKit)
    /// Which scene a screen is shown in. Nil, which is the default: the library picks one.
    @MainActor func onside(hostWindowSceneForScreen screen: OnsideScreen) -> UIWindowScene?
  #endif

  /// Which theme a screen has. Nil, which is the default: the one of `Onside.appearance()`.
  @MainActor func onside(uiThemeOverrideForScreen screen: OnsideScreen) -> OnsideUIThemeMode?

  /// An older spelling of `onsideLoginMethod`: true is `.local`. False by default.
  @MainActor func onsideShouldForceLocalLoginMethods() -> Bool

  /// How a user signs in where external login isn't used or has come to nothing. `.auto` by
  /// default.
  ///
  /// Source: external-login.txt: `.local` "does not disable external login".
  @MainActor func onsideLoginMethod() -> OnsideLoginMethod

  /// Whose prices are shown while nobody is signed in: ISO 3166-1 alpha-2. Nil, which is the
  /// default: the configuration's country, or the app's default.
  @MainActor func onsideDefaultCountryCodeAssumption() -> String?
}

extension OnsideDelegate {
  #if canImport(UIKit)
    /// Leaves the choice to the library.
    @MainActor public func onside(
      hostWindowSceneForScreen screen: OnsideScreen
    ) -> UIWindowScene? { nil }
  #endif

  /// The appearance that is set for all screens.
  @MainActor public func onside(
    uiThemeOverrideForScreen screen: OnsideScreen
  ) -> OnsideUIThemeMode? { nil }

  /// Leaves the choice to `onsideLoginMethod`.
  @MainActor public func onsideShouldForceLocalLoginMethods() -> Bool { false }

  /// Through the store app where there is one.
  @MainActor public func onsideLoginMethod() -> OnsideLoginMethod { .auto }

  /// No assumption.
  @MainActor public func onsideDefaultCountryCodeAssumption() -> String? { nil }
}

/// How a user signs in.
public enum OnsideLoginMethod: Sendable {
  /// Through the store app; in the library where that can't be opened.
  case auto

  /// In the library, with a phone number and a code.
  case local
}
