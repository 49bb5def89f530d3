// The sample of the SDK's page on external login, as it stands there.

#if LITE
  import OnsideKitLite
#else
  import OnsideKit
#endif

@MainActor
final class ExternalLoginProvider: OnsideExternalLoginDelegate {
  var currentUserID: String?

  func onsideExternalAccountToken() async -> String? {
    currentUserID
  }
}

@MainActor
final class OnsideIntegration {
  // The SDK holds this delegate weakly; retain it in a long-lived owner.
  private let externalLogin = ExternalLoginProvider()

  func configure(currentUserID: String?) {
    Onside.initialize()
    externalLogin.currentUserID = currentUserID
    Onside.externalLoginDelegate = externalLogin
  }
}
