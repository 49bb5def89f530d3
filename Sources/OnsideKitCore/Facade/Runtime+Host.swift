import OnsideClient
import OnsideDomain

/// What the marketplace asks of the app, put to the app's delegates on the main actor.
extension Runtime {
  var host: MarketplaceHost {
    var host = MarketplaceHost(
      loginMethod: { [weak self] in await self?.loginMethod ?? .auto },
      countryHint: { [weak self] in await self?.countryHint },
      continues: { [weak self] transaction, storefront in
        await self?.queue.continues(transaction, in: storefront) ?? true
      })
    guard externalLoginDelegate != nil else { return host }
    host.externalAccount = { [weak self] in await self?.externalAccount() }
    return host
  }

  private func externalAccount() async -> String? {
    await externalLoginDelegate?.onsideExternalAccountToken()
  }

  private var countryHint: String? { delegate?.onsideDefaultCountryCodeAssumption() }

  private var loginMethod: LoginMethod {
    guard let delegate else { return .auto }
    if delegate.onsideShouldForceLocalLoginMethods() { return .local }
    return switch delegate.onsideLoginMethod() {
    case .auto: .auto
    case .local: .local
    }
  }

  /// Where and how a screen is shown.
  func place(_ screen: OnsideScreen) -> OnsideScreenPlacement {
    let theme = delegate?.onside(uiThemeOverrideForScreen: screen) ?? appearance.mode
    #if canImport(UIKit)
      return OnsideScreenPlacement(
        theme: theme, windowScene: delegate?.onside(hostWindowSceneForScreen: screen))
    #else
      return OnsideScreenPlacement(theme: theme)
    #endif
  }

  /// The app's presenter, within the bounds of an edition.
  func presenter(_ base: (any Presenter)?, _ edition: any OnsideEdition.Type) -> EditionPresenter {
    EditionPresenter(
      base: base ?? HeadlessPresenter(), hasApplePay: edition.hasApplePay,
      place: { [weak self] in self?.place($0) ?? OnsideScreenPlacement(theme: .auto) })
  }
}
