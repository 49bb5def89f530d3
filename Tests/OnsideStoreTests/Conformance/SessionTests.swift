import OnsideDomain
import OnsideStore
import Testing

@Suite("Revocations and token keys, in each store")
struct SessionTests {
  private func revocation(_ number: UInt64, expires: Int64 = 1_000) -> Revocation {
    Revocation(
      sessionID: SessionID(high: 1, low: number), profileID: ProfileID(high: 2, low: number),
      expiresAt: Fixtures.time(expires))
  }

  private func all(
    in store: any Store, after position: RevocationPosition? = nil, limit: Int = 2
  ) async throws -> (found: [Revocation], position: RevocationPosition) {
    var page = try await store.revocations(after: position, limit: limit)
    var found = page.revocations
    while page.hasMore {
      page = try await store.revocations(after: page.position, limit: limit)
      found += page.revocations
    }
    return (found, page.position)
  }

  @Test("Revocations are read in order, page by page", arguments: StoreKind.allCases)
  func readsInOrder(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await all(in: store).found.isEmpty)
      let added = (0..<5).map { revocation($0) }
      for revocation in added { try await store.addRevocation(revocation) }
      #expect(try await all(in: store).found == added)
    }
  }

  @Test("Adding a revocation again changes nothing", arguments: StoreKind.allCases)
  func addsOnce(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for _ in 0..<3 { try await store.addRevocation(revocation(7)) }
      #expect(try await all(in: store).found == [revocation(7)])
    }
  }

  @Test("A position shows what came since", arguments: StoreKind.allCases)
  func showsChanges(kind: StoreKind) async throws {
    try await kind.withStore { store in
      try await store.addRevocation(revocation(1))
      let position = try await all(in: store).position
      #expect(try await all(in: store, after: position).found.isEmpty)
      try await store.addRevocation(revocation(2))
      #expect(try await all(in: store, after: position).found == [revocation(2)])
    }
  }

  @Test(
    "Purging forgets what has expired, and no place is used again", arguments: StoreKind.allCases)
  func purges(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 0..<4 {
        try await store.addRevocation(revocation(UInt64(number), expires: Int64(number * 100)))
      }
      let position = try await all(in: store).position
      #expect(try await store.purgeRevocations(expiredBefore: Fixtures.time(200), limit: 1) == 1)
      #expect(try await store.purgeRevocations(expiredBefore: Fixtures.time(200)) == 1)
      #expect(try await all(in: store).found.map(\.sessionID.low) == [2, 3])
      #expect(try await store.purgeRevocations(expiredBefore: Fixtures.time(1_000)) == 2)
      try await store.addRevocation(revocation(9))
      #expect(try await all(in: store, after: position).found == [revocation(9)])
    }
  }

  private func key(_ id: UInt32, opensUntil: Int64 = 3_000) -> TokenKeyRecord {
    TokenKeyRecord(
      id: id, secret: (0..<32).map { UInt8($0) ^ UInt8(truncatingIfNeeded: id) },
      sealsFrom: Fixtures.time(0), sealsUntil: Fixtures.time(1_000),
      opensUntil: Fixtures.time(opensUntil))
  }

  @Test("Token keys are kept as they were, and never replaced", arguments: StoreKind.allCases)
  func keepsKeys(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.tokenKeys().isEmpty)
      for id: UInt32 in [.max, 1] {
        let isAdded = try await store.addTokenKey(key(id))
        #expect(isAdded)
      }
      #expect(try await store.addTokenKey(key(1, opensUntil: 9)) == false)
      #expect(try await store.tokenKeys() == [key(1), key(.max)])
    }
  }

  @Test("Removing forgets only keys whose last token has expired", arguments: StoreKind.allCases)
  func removesKeys(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for id in 1...3 {
        _ = try await store.addTokenKey(key(UInt32(id), opensUntil: Int64(id) * 100))
      }
      #expect(try await store.removeTokenKeys(opensUntilBefore: Fixtures.time(200)) == 1)
      #expect(try await store.tokenKeys().map(\.id) == [2, 3])
    }
  }

  @Test("A key's secret is in no text")
  func hidesSecrets() {
    let key = TokenKeyRecord(
      id: 3, secret: [UInt8](repeating: 0xab, count: 32), sealsFrom: Fixtures.start,
      sealsUntil: Fixtures.start, opensUntil: Fixtures.start)
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), String(describing: [key]), dumped] {
      #expect(!text.contains("171") && text.contains("3"), "\(text)")
    }
  }
}
