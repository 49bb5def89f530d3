import OnsideClient
import Testing

/// What a program prints by accident must not sign anybody in or pay anything.
@Suite struct SecrecyTests {
  private let secret = "s3cr3t"

  private func texts(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  @Test func aSessionNeverShowsItsToken() {
    let session = Session(token: secret, profileID: "p-1", expiresAtMilliseconds: 0)
    for text in texts(session) {
      #expect(!text.contains(secret))
      #expect(text.contains("p-1"))
    }
  }

  @Test func aPaymentMethodNeverShowsItsToken() {
    for method in [PaymentMethod.applePay(token: secret), .card(token: secret)] {
      for text in texts(method) { #expect(!text.contains(secret)) }
    }
  }

  @Test func aConfigurationNeverShowsItsKey() {
    let configuration = OnsideClient.Configuration(appID: "app", appKey: secret)
    for text in texts(configuration) { #expect(!text.contains(secret)) }
  }

  @Test func idempotencyKeysAreUniqueAndShortEnough() {
    let keys = (0..<10_000).map { _ in PurchaseRequest.randomKey() }
    #expect(Set(keys).count == keys.count)
    #expect(keys.allSatisfy { $0.utf8.count == 32 })
  }
}
