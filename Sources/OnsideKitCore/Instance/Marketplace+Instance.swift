import OnsideClient

extension Marketplace: MarketplaceInstance {
  func setHost(_ host: MarketplaceHost) { self.host = host }

  func setCallbackScheme(_ scheme: String?) { callbackScheme = scheme }

  func logOut() { let _: Task<Void, Never> = logOut() }

  func observe(_ take: @escaping @MainActor @Sendable (MarketplaceEvent) -> Bool) async {
    for await event in observe() {
      guard await take(event) else { return }
    }
  }
}
