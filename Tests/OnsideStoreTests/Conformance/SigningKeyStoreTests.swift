import OnsideDomain
import OnsideStore
import Testing

@Suite("Signing keys, in each store")
struct SigningKeyStoreTests {
  private func key(_ number: UInt32, secret: [UInt8] = [0xab, 0xab]) -> SigningKeyRecord {
    SigningKeyRecord(
      number: number, secret: secret, publicPoint: [4, UInt8(number)],
      createdAt: Fixtures.time(Int64(number)))
  }

  @Test(
    "A key is never replaced; a later one makes its secret forgotten", arguments: StoreKind.allCases
  )
  func keeps(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let none = try await store.signingKeys()
      #expect(none == [])
      for (number, isNew) in [(1, true), (1, false), (2, true), (2, false)] as [(UInt32, Bool)] {
        #expect(try await store.addSigningKey(key(number)) == isNew)
      }
      #expect(try await store.signingKeys() == [key(1, secret: []), key(2)])
    }
  }

  @Test("A key's secret is in no text")
  func secrecy() {
    var dumped = ""
    dump(key(3), to: &dumped)
    for text in ["\(key(3))", String(reflecting: key(3)), "\([key(3)])", dumped] {
      #expect(!text.contains("171") && text.contains("3"), "\(text)")
    }
  }
}
