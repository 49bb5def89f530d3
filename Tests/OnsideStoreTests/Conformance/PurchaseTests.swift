import OnsideDomain
import OnsideStore
import Testing

@Suite("Purchases, in each store")
struct PurchaseTests {
  private let profile = ProfileID(high: 1, low: 1)

  @Test("The same key and fields give the first purchase again", arguments: StoreKind.allCases)
  func repeats(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let first = try Fixtures.intent(profile: profile, token: "token")
      #expect(try await store.beginPurchase(first) == .new(first.transaction))
      let retry = try Fixtures.intent(profile: profile, token: "token", at: 50)
      #expect(try await store.beginPurchase(retry) == .inProgress(first.transaction))
      let recorded = try await store.recordOutcome(
        .paid, of: first.transactionID, profileID: profile, at: Fixtures.time(9))
      guard case .recorded(let paid) = recorded else {
        Issue.record("\(recorded)")
        return
      }
      #expect(paid.lifecycle.state == .purchased && paid.updatedAt == Fixtures.time(9))
      #expect(try await store.beginPurchase(retry) == .existing(paid))
    }
  }

  @Test("The same key with other fields is a conflict", arguments: StoreKind.allCases)
  func conflicts(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let first = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      for fingerprint: [UInt8] in [[1, 2, 4], [1, 2], [1, 2, 3, 0]] {
        let other = try Fixtures.intent(profile: profile, fingerprint: fingerprint)
        #expect(try await store.beginPurchase(other) == .conflict(first))
      }
    }
  }

  @Test("A key counts within one app of one profile", arguments: StoreKind.allCases)
  func scopesKeys(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      let otherApp = try Fixtures.intent(profile: profile, app: "other")
      _ = try await Fixtures.begun(otherApp, in: store)
      let otherUser = try Fixtures.intent(profile: ProfileID(high: 1, low: 2))
      _ = try await Fixtures.begun(otherUser, in: store)
    }
  }

  @Test(
    "A product that can be had once is refused while owned or open", arguments: StoreKind.allCases)
  func refusesOwned(kind: StoreKind) async throws {
    try await kind.withStore { store in
      func intent(_ key: String) throws -> PurchaseIntent {
        try Fixtures.intent(key, profile: profile, product: "level", exclusive: true)
      }
      let first = try await Fixtures.begun(try intent("a"), in: store)
      #expect(try await store.beginPurchase(try intent("b")) == .alreadyOwned(first))
      _ = try await store.recordOutcome(
        .failed(.declined), of: first.id, profileID: profile, at: Fixtures.time(1))
      let second = try await Fixtures.begun(try intent("b"), in: store)
      _ = try await store.recordOutcome(
        .paid, of: second.id, profileID: profile, at: Fixtures.time(2))
      guard case .alreadyOwned(let owned) = try await store.beginPurchase(try intent("c")) else {
        Issue.record("bought twice")
        return
      }
      #expect(owned.id == second.id && owned.lifecycle.state == .purchased)
      // The purchase's own retry is still answered as such.
      guard case .existing = try await store.beginPurchase(try intent("b")) else {
        Issue.record("the retry isn't recognised")
        return
      }
      // Somebody else can have it too.
      let other = try Fixtures.intent(
        "a", profile: ProfileID(high: 9, low: 9), product: "level", exclusive: true)
      _ = try await Fixtures.begun(other, in: store)
    }
  }

  @Test("Consumables are bought again and again", arguments: StoreKind.allCases)
  func buysConsumablesAgain(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for key in ["a", "b", "c"] {
        let begun = try await Fixtures.begun(try Fixtures.intent(key, profile: profile), in: store)
        _ = try await store.recordOutcome(
          .paid, of: begun.id, profileID: profile, at: Fixtures.time(1))
      }
    }
  }

  @Test("25 purchases with one key at once begin one", arguments: StoreKind.allCases)
  func beginsOneOfMany(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let results = try await withThrowingTaskGroup(of: PurchaseBeginning.self) { group in
        for _ in 0..<25 {
          let intent = try Fixtures.intent(profile: profile)
          group.addTask { try await store.beginPurchase(intent) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let new = results.compactMap { if case .new(let found) = $0 { found } else { nil } }
      let others = results.compactMap { if case .inProgress(let found) = $0 { found } else { nil } }
      #expect(new.count == 1 && others.count == 24)
      #expect(others.allSatisfy { $0 == new.first })
    }
  }

  @Test(
    "An outcome is recorded once; a contradiction changes nothing", arguments: StoreKind.allCases)
  func recordsOnce(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let begun = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      func record(_ outcome: PaymentOutcome) async throws -> OutcomeRecording {
        try await store.recordOutcome(
          outcome, of: begun.id, profileID: profile, at: Fixtures.time(5))
      }
      guard case .recorded(let deferred) = try await record(.needsApproval) else {
        Issue.record("not recorded")
        return
      }
      #expect(deferred.lifecycle.state == .deferred)
      #expect(try await record(.needsApproval) == .unchanged(deferred))
      guard case .recorded(let failed) = try await record(.failed(.cancelled)) else {
        Issue.record("not recorded")
        return
      }
      #expect(failed.lifecycle.failureReason == .cancelled)
      #expect(try await record(.failed(.cancelled)) == .unchanged(failed))
      #expect(try await record(.failed(.declined)) == .refused(failed))
      #expect(try await record(.paid) == .refused(failed))
      let stranger = try await store.recordOutcome(
        .paid, of: begun.id, profileID: ProfileID.random(), at: Fixtures.time(5))
      #expect(stranger == .notFound)
    }
  }

  @Test("25 contradicting outcomes at once leave one", arguments: StoreKind.allCases)
  func losesNoUpdate(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let begun = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      let results = try await withThrowingTaskGroup(of: OutcomeRecording.self) { group in
        for index in 0..<25 {
          group.addTask { [profile] in
            let outcome: PaymentOutcome = index % 2 == 0 ? .paid : .failed(.declined)
            return try await store.recordOutcome(
              outcome, of: begun.id, profileID: profile, at: Fixtures.time(1))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let recorded = results.filter { if case .recorded = $0 { true } else { false } }
      #expect(recorded.count == 1)
      #expect(!results.contains(.notFound))
    }
  }

  @Test("Intents without an outcome are listed by age, whole", arguments: StoreKind.allCases)
  func listsUnresolved(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var intents: [PurchaseIntent] = []
      for number in 0..<4 {
        let owner = ProfileID(high: 5, low: UInt64(10 - number))
        let token = number == 0 ? nil : ""
        intents.append(
          try Fixtures.intent(
            "key-\(number)", profile: owner, token: token, at: Int64(number / 2)))
      }
      for intent in intents.reversed() { _ = try await Fixtures.begun(intent, in: store) }
      let sorted = intents.sorted { $0.position < $1.position }
      #expect(try await store.unresolvedPurchases() == sorted)
      var paged: [PurchaseIntent] = []
      while let next = try await store.unresolvedPurchases(
        after: paged.last?.position, limit: 1
      ).first { paged.append(next) }
      #expect(paged == sorted)
      for (intent, outcome) in zip(sorted, [PaymentOutcome.paid, .needsApproval]) {
        _ = try await store.recordOutcome(
          outcome, of: intent.transactionID, profileID: intent.profileID, at: Fixtures.time(9))
      }
      #expect(try await store.unresolvedPurchases() == Array(sorted[2...]))
    }
  }

  @Test("A key is forgotten after its time, its transaction isn't", arguments: StoreKind.allCases)
  func purgesKeys(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var begun: [TransactionRecord] = []
      for (number, key) in ["a", "b", "open", "young"].enumerated() {
        let age = key == "young" ? idempotencyKeyRetention : Int64(number)
        begun.append(
          try await Fixtures.begun(try Fixtures.intent(key, profile: profile, at: age), in: store))
      }
      for done in [begun[0], begun[1], begun[3]] {
        _ = try await store.recordOutcome(
          .paid, of: done.id, profileID: profile, at: Fixtures.time(10))
      }
      let bound = Fixtures.time(idempotencyKeyRetention)
      #expect(try await store.purgeIdempotencyKeys(createdBefore: bound, limit: 1) == 1)
      #expect(try await store.purgeIdempotencyKeys(createdBefore: bound) == 1)
      #expect(try await store.purgeIdempotencyKeys(createdBefore: bound) == 0)
      // "open" has no outcome, so its key stays; "young" is 30 days younger.
      for key in ["open", "young"] {
        let again = try await store.beginPurchase(try Fixtures.intent(key, profile: profile))
        if case .new = again { Issue.record("\(key) was forgotten") }
      }
      _ = try await Fixtures.begun(try Fixtures.intent("a", profile: profile), in: store)
      let kept = try await store.findTransaction(
        begun[0].id, profileID: profile, appID: begun[0].appID)
      #expect(kept?.lifecycle.state == .purchased)
    }
  }

  @Test("Any app account token comes back as it was", arguments: StoreKind.allCases)
  func keepsTokens(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let tokens = [
        nil, "", " ", "plain", "not-a-uuid", "\u{0}a\u{0}", "%s\n\"'", "😀", "e\u{301}",
        String(repeating: "x", count: 1_024),
      ]
      for (number, token) in tokens.enumerated() {
        let intent = try Fixtures.intent("key-\(number)", profile: profile, token: token)
        let begun = try await Fixtures.begun(intent, in: store)
        let found = try await store.findTransaction(
          begun.id, profileID: profile, appID: intent.appID)
        #expect(found?.appAccountToken.map { Array($0.utf8) } == token.map { Array($0.utf8) })
      }
    }
  }

  @Test("A transaction identifier that is taken is refused", arguments: StoreKind.allCases)
  func refusesTakenIdentifier(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let first = try Fixtures.intent("a", profile: profile)
      _ = try await Fixtures.begun(first, in: store)
      let second = try Fixtures.intent("b", profile: profile, id: first.transactionID)
      await #expect { _ = try await store.beginPurchase(second) } throws: { error in
        (error as? StoreError)?.code == .requestFailed
      }
    }
  }

  @Test("A payment token is in no text")
  func hidesPaymentToken() throws {
    let intent = try Fixtures.intent(profile: profile)
    var dumped = ""
    dump(intent, to: &dumped)
    for text in ["\(intent)", String(reflecting: intent), String(describing: [intent]), dumped] {
      #expect(!text.contains("sandbox-paid"), "\(text)")
    }
  }
}
