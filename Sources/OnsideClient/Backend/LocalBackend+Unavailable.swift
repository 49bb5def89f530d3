/// What local testing doesn't have.
extension LocalBackend {
  func receipt(transactionID: String) async throws(OnsideError) -> ReceiptRecord {
    throw Marketplace.notLocal("a receipt")
  }

  func signedHistory() async throws(OnsideError) -> String {
    throw Marketplace.notLocal("the signed history")
  }

  func cards() async throws(OnsideError) -> [CardRecord] {
    throw Marketplace.notLocal("a saved card")
  }

  func addCard(_ card: CardEntry) async throws(OnsideError) -> CardRecord {
    throw Marketplace.notLocal("a saved card")
  }

  func removeCard(id: String) async throws(OnsideError) {
    throw Marketplace.notLocal("a saved card")
  }

  func setDefaultCard(id: String) async throws(OnsideError) -> CardRecord {
    throw Marketplace.notLocal("a saved card")
  }

  func attribution(installationID: String) async throws(OnsideError) -> String? {
    throw Marketplace.notLocal("the attribution")
  }

  func track(_ events: [TrackedEvent], installationID: String) async throws(OnsideError) -> Int {
    throw Marketplace.notLocal("event tracking")
  }
}
