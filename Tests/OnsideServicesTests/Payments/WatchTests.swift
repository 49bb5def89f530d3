import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import Testing

@testable import OnsideServices

@Suite("Watching transactions", .timeLimit(.minutes(2)))
struct WatchTests {
  typealias Answers = ResponseStream<WatchTransactionsResponse>.AsyncIterator

  /// Begins to watch, and takes the first answer.
  private func watch(
    _ fixture: MarketplaceFixture, _ session: CallOptions, from cursor: String = ""
  ) async throws -> (answers: Answers, cursor: String) {
    let stream = fixture.payments.watchTransactions(
      WatchTransactionsRequest(cursor: cursor), options: session)
    var answers = stream.makeAsyncIterator()
    let first = try #require(try await answers.next())
    #expect(first.event == nil)
    #expect(cursor.isEmpty || first.cursor == cursor)
    return (answers, first.cursor)
  }

  private func transaction(_ answers: inout Answers) async throws -> OnsideProto.Transaction {
    guard case .transaction(let transaction) = try await answers.next()?.event else {
      throw TestFailure("no transaction")
    }
    return transaction
  }

  /// The error that a watch ends with.
  private func end(_ answers: inout Answers) async throws -> RPCError {
    do throws(RPCError) {
      while let answer = try await answers.next() {
        guard answer.event != nil else { throw RPCError(.internal, "an answer without an event") }
      }
    } catch {
      return error
    }
    throw TestFailure("the watch ended without an error")
  }

  private func buy(
    _ fixture: MarketplaceFixture, _ session: CallOptions, key: String = "key-1",
    token: String = "sandbox-paid"
  ) async throws(RPCError) -> OnsideProto.Transaction {
    let answer = try await fixture.payments.createPurchase(
      PurchaseFixture.request(key: key, token: token), options: session)
    guard let transaction = answer.transaction else { throw RPCError(.internal, "no transaction") }
    return transaction
  }

  @Test("Every change comes once, in order; from each cursor on, the rest comes again")
  func changes() async throws {
    let fixture = try await MarketplaceFixture()
    let (session, other) = (try await fixture.session(), try await fixture.session())
    var (answers, start) = try await watch(fixture, session)
    // Another device of the same user.
    let bought = try await buy(fixture, other)
    let finished = try await fixture.payments.finishTransaction(
      FinishTransactionRequest(transactionID: bought.transactionID), options: other)
    let failed = try await buy(fixture, other, key: "key-2", token: "sandbox-declined")
    var cursors = [start]
    var seen: [OnsideProto.Transaction] = []
    for _ in 0..<5 {
      let answer = try #require(try await answers.next())
      #expect(answer.cursor.utf8.count <= 64 && answer.cursor.utf8.allSatisfy { $0 < 0x80 })
      cursors.append(answer.cursor)
      guard case .transaction(let transaction) = answer.event else { throw TestFailure("none") }
      seen.append(transaction)
    }
    #expect(seen.map(\.state) == [.purchasing, .purchased, .purchased, .purchasing, .failed])
    #expect(seen[1] == bought && seen[2] == finished.transaction && seen[4] == failed)
    for (place, cursor) in cursors.enumerated() {
      var (again, _) = try await watch(fixture, session, from: cursor)
      for expected in seen[place...] {
        #expect(try await transaction(&again) == expected)
      }
    }
  }

  @Test("B38: a deferred purchase comes once; its approval is a new update")
  func deferred() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var (answers, _) = try await watch(fixture, session)
    let deferred = try await buy(fixture, session, token: "sandbox-needs-approval")
    #expect(try await transaction(&answers).state == .purchasing)
    #expect(try await transaction(&answers) == deferred)
    #expect(deferred.state == .deferred && !deferred.transactionID.isEmpty)
    // Asking again changes nothing, and is no event.
    #expect(try await buy(fixture, session, token: "sandbox-needs-approval") == deferred)
    let id = try #require(TransactionID(deferred.transactionID))
    let found = try #require(try await fixture.store.findDeferredPurchase(id))
    for _ in 0..<2 {
      _ = try await fixture.store.recordOutcome(
        .paid, of: id, profileID: found.profileID, at: fixture.clock.now)
    }
    #expect(try await transaction(&answers).state == .purchased)
    let next = try await buy(fixture, session, key: "key-2")
    #expect(try await transaction(&answers).transactionID == next.transactionID)
  }

  @Test("Nobody sees what another user does, or the same one elsewhere")
  func scopes() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session("one")
    let stranger = try await fixture.session("two")
    let elsewhere = try await fixture.session("one", app: TestCatalogue.other)
    var (answers, cursor) = try await watch(fixture, session)
    var (others, _) = try await watch(fixture, stranger)
    _ = try await buy(fixture, stranger)
    let mine = try await buy(fixture, session)
    #expect(try await transaction(&answers).transactionID == mine.transactionID)
    #expect(try await transaction(&others).transactionID != mine.transactionID)
    for session in [stranger, elsewhere] {
      var answers = fixture.payments.watchTransactions(
        WatchTransactionsRequest(cursor: cursor), options: session
      ).makeAsyncIterator()
      let error = try await end(&answers)
      #expect(error.code == .outOfRange)
      #expect(error.refusalReason == .cursorInvalid)
    }
  }

  @Test("One profile's events of another app are no answers, and none of its own is lost by them")
  func apps() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var (answers, _) = try await watch(fixture, session)
    let id = try await fixture.profileID(of: session)
    for number in 0..<150 {
      _ = try await fixture.store.beginPurchase(
        fixture.intent("key-\(number)", of: id, app: TestCatalogue.other))
    }
    let mine = try await buy(fixture, session)
    #expect(try await transaction(&answers).transactionID == mine.transactionID)
  }

  @Test("A cursor that isn't one, or that is too old, is OUT_OF_RANGE before any answer")
  func badCursors() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let (_, cursor) = try await watch(fixture, session)
    _ = try await buy(fixture, session)
    var (answers, _) = try await watch(fixture, session, from: cursor)
    _ = try await transaction(&answers)
    let last = try #require(try await answers.next()).cursor
    fixture.clock.advance(by: .seconds(30 * 86_400 + 1))
    await fixture.marketplace.maintainSessions()
    await fixture.marketplace.purge()
    let later = try await fixture.session()
    _ = try await watch(fixture, later, from: last)
    _ = try await buy(fixture, later, key: "key-2")
    fixture.clock.advance(by: .seconds(1))
    await fixture.marketplace.purge()
    // Who has seen everything goes on; who hasn't is told so.
    var (rest, _) = try await watch(fixture, later, from: last)
    #expect(try await transaction(&rest).state == .purchasing)
    for bad in [cursor, "x", last + "0", String(last.reversed())] {
      var answers = fixture.payments.watchTransactions(
        WatchTransactionsRequest(cursor: bad), options: later
      ).makeAsyncIterator()
      let error = try await end(&answers)
      #expect(error.code == .outOfRange, "\(bad)")
      #expect(error.refusalReason == .cursorInvalid)
    }
  }

  @Test("A watch ends with its session, and with no other")
  func sessionEnds() async throws {
    let fixture = try await MarketplaceFixture { $0.sessionLifetime = .seconds(60) }
    let (ended, expired) = (try await fixture.session(), try await fixture.session())
    var (first, _) = try await watch(fixture, ended)
    var (second, _) = try await watch(fixture, expired)
    _ = try await fixture.login.endSession(EndSessionRequest(), options: ended)
    let error = try await end(&first)
    #expect(error.code == .unauthenticated)
    #expect(error.refusalReason == .sessionEnded)
    fixture.clock.advance(by: .milliseconds(59_999))
    fixture.marketplace.endExpiredWatches()
    let bought = try await buy(fixture, expired)
    #expect(try await transaction(&second).transactionID == bought.transactionID)
    fixture.clock.advance(by: .milliseconds(1))
    fixture.marketplace.endExpiredWatches()
    let expiry = try await end(&second)
    #expect(expiry.code == .unauthenticated)
    #expect(expiry.refusalReason == .sessionExpired)
  }

  @Test("A server that stops ends all watches, also those that read nothing, and takes no new ones")
  func drains() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var (answers, cursor) = try await watch(fixture, session)
    let idle = fixture.payments.watchTransactions(WatchTransactionsRequest(), options: session)
    _ = await idle.initialMetadata
    fixture.marketplace.drain()
    #expect(try await end(&answers).code == .unavailable)
    var unread = idle.makeAsyncIterator()
    #expect(try await end(&unread, allowingFirst: true).code == .unavailable)
    var late = fixture.payments.watchTransactions(
      WatchTransactionsRequest(cursor: cursor), options: session
    ).makeAsyncIterator()
    #expect(try await end(&late).code == .unavailable)
  }

  private func end(_ answers: inout Answers, allowingFirst: Bool) async throws -> RPCError {
    do throws(RPCError) {
      while try await answers.next() != nil {}
    } catch {
      return error
    }
    throw TestFailure("the watch ended without an error")
  }

  @Test("A watch that is given up leaves nothing behind")
  func forgets() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var watching = [try await watch(fixture, session), try await watch(fixture, session)]
    #expect(fixture.store.eventHub.count == 2)
    #expect(fixture.marketplace.payments.watches.count == 2)
    watching.removeAll()
    // The handlers end a moment after their callers.
    while fixture.store.eventHub.count > 0 {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(fixture.marketplace.payments.watches.count == 0)
  }

  @Test("A watcher that doesn't read holds up nobody, and gets everything later")
  func slow() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var (slow, _) = try await watch(fixture, session)
    var (quick, _) = try await watch(fixture, session)
    var ids: [String] = []
    for number in 0..<250 {
      ids.append(try await buy(fixture, session, key: "key-\(number)").transactionID)
    }
    func take(_ answers: inout Answers) async throws -> [String] {
      var taken: [String] = []
      for _ in 0..<500 { taken.append(try await transaction(&answers).transactionID) }
      return taken
    }
    let expected = ids.flatMap { [$0, $0] }
    #expect(try await take(&quick) == expected)
    #expect(try await take(&slow) == expected)
  }

  @Test("A change of the storefront is an event, in its place among the others")
  func storefront() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var (answers, _) = try await watch(fixture, session)
    let bought = try await buy(fixture, session)
    for _ in 0..<2 {
      _ = try await fixture.control().setStorefront(
        SetStorefrontRequest(
          profile: ProfileName(
            name: .profileID((try await fixture.profileID(of: session)).description)),
          countryCode: "JP"))
    }
    _ = try await fixture.payments.finishTransaction(
      FinishTransactionRequest(transactionID: bought.transactionID), options: session)
    for state in [TransactionState.purchasing, .purchased] {
      #expect(try await transaction(&answers).state == state)
    }
    let japan = OnsideProto.Storefront(id: "JP", countryCode: "JP")
    #expect(try await answers.next()?.event == .storefront(japan))
    #expect(try await transaction(&answers).finished)
  }

  @Test("Where servers share a store, each tells what the others did")
  func shared() async throws {
    let base = MemoryStore()
    let clock = TestClock()
    let one = try await MarketplaceFixture(store: MemoryStore(sharing: base), clock: clock)
    let two = try await MarketplaceFixture(store: MemoryStore(sharing: base), clock: clock)
    let session = try await one.session()
    var (answers, _) = try await watch(one, session)
    let bought = try await buy(two, session)
    #expect(try await transaction(&answers).transactionID == bought.transactionID)
    #expect(try await transaction(&answers) == bought)
  }
}
