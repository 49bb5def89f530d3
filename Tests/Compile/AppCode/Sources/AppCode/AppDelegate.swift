// Setting up, as the SDK's example app does it.

import Foundation

#if LITE
  import OnsideKitLite
#else
  import OnsideKit
#endif

final class AppDelegate: NSObject {
  private let integration = IntegrationDelegate()

  @MainActor func applicationDidFinishLaunching(isTesting: Bool) {
    if isTesting {
      Onside.initialize(storeKitConfigurationName: "Example")
    } else {
      Onside.initialize()
    }
    Onside.callbackScheme = "sdk-example-scheme"
    Onside.delegate = integration
    Onside.appearance().setThemeMode(.auto)
  }

  @MainActor func application(open url: URL) -> Bool {
    Onside.handle(url: url)
  }

  @MainActor func scene(open url: URL) {
    _ = Onside.handle(url: url)
    Onside.handle(url: url)
  }
}

/// All of the delegate, with the older spelling beside the newer.
final class IntegrationDelegate: OnsideDelegate {
  func onside(uiThemeOverrideForScreen screen: OnsideScreen) -> OnsideUIThemeMode? {
    switch screen {
    case .externalAccountNotification: return .dark
    default: return nil
    }
  }

  func onsideShouldForceLocalLoginMethods() -> Bool { false }
  func onsideLoginMethod() -> OnsideLoginMethod { .local }
  func onsideDefaultCountryCodeAssumption() -> String? { "NL" }
}

/// Nothing of it: every function has a default.
final class EmptyDelegate: OnsideDelegate {}

/// An app from before `onsideLoginMethod`.
class OlderDelegate: NSObject, OnsideDelegate {
  func onsideShouldForceLocalLoginMethods() -> Bool { true }
}

/// A theme can be a tag of SwiftUI, which has to be hashable.
let themes: Set<OnsideUIThemeMode> = [.auto, .light, .dark]
