import Glibc
import OnsideProto
import RPC
import RPCClient
import Synchronization
import Testing

/// What clients know of a server that is killed: only what it acknowledged counts.
private struct Books: Sendable {
  /// Acknowledged sessions by token, with the profile.
  var sessions: [(token: String, profile: String)] = []

  /// Sessions whose end was acknowledged.
  var ended: Set<String> = []

  /// Sessions whose end was asked for and not acknowledged: either is right.
  var doubtful: Set<String> = []

  /// Purchases by session: the transaction, or nil where the answer never came.
  var purchases: [(token: String, key: String, transaction: String?)] = []
}

/// Kills a server somewhere in the middle of its work: after so many acknowledgements.
private final class Killer: Sendable {
  private let server: ServerUnderTest
  private let limit: Int
  private let count = Atomic(0)

  init(_ server: ServerUnderTest, after limit: Int) {
    self.server = server
    self.limit = limit
  }

  func acknowledged() {
    if count.add(1, ordering: .relaxed).newValue == limit { server.signal(SIGKILL) }
  }
}

@Suite("kill -9 under load", .timeLimit(.minutes(4)))
struct ServerCrashTests {
  private static let workers = 16

  @Test(
    "Acknowledged sessions work, ended ones stay ended, each purchase exists exactly once",
    arguments: 1...3)
  func killed(_ round: Int) async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let client = try ClientUnderTest(server, workspace, connections: 4)
    let killer = Killer(server, after: 400 + round * 17)
    let books = await withTaskGroup(of: Books.self) { group in
      for worker in 0..<Self.workers {
        group.addTask {
          await Self.load(client.client, "\(round)-\(worker)", killer)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(await server.ended().status == -SIGKILL)
    await client.close()
    #expect(books.reduce(0) { $0 + $1.sessions.count } > 50)
    #expect(books.reduce(0) { $0 + $1.ended.count } > 10)

    let next = try await ServerUnderTest(workspace)
    let second = try ClientUnderTest(next, workspace, connections: 4)
    for book in books { try await Self.check(book, second.client) }
    await second.close()
    try await next.stop()
  }

  private static func options(_ token: String) -> CallOptions {
    var options = CallOptions()
    try? options.metadata.add("authorization", "Bearer \(token)")
    return options
  }

  private static func request(_ key: String) -> CreatePurchaseRequest {
    CreatePurchaseRequest(
      idempotencyKey: key, productIdentifier: "coins", storefrontID: "DE",
      price: Money(minorUnits: 499, currencyCode: "EUR", exponent: 2),
      paymentMethod: .applePayToken("sandbox-paid:\(key)"))
  }

  /// Logs users in, buys, and logs some out, until the server is gone.
  private static func load(
    _ client: RPCClient, _ name: String, _ killer: Killer
  ) async -> Books {
    var books = Books()
    for index in 0..<100_000 {
      let user = "user-\(name)-\(index / 3)"
      guard
        let session = try? await LoginServiceClient(client).createSession(
          CreateSessionRequest(appID: Workspace.app, credential: .externalUserID(user)))
      else { return books }
      let token = session.sessionToken
      books.sessions.append((token, session.profileID))
      killer.acknowledged()

      let key = "key-\(name)-\(index)"
      let bought = try? await PaymentsServiceClient(client).createPurchase(
        request(key), options: options(token))
      books.purchases.append((token, key, bought?.transaction?.transactionID))
      guard bought != nil else { return books }
      killer.acknowledged()

      guard index % 3 == 2 else { continue }
      let ended = try? await LoginServiceClient(client).endSession(
        EndSessionRequest(), options: options(token))
      guard ended != nil else {
        books.doubtful.insert(token)
        return books
      }
      books.ended.insert(token)
      killer.acknowledged()
    }
    return books
  }

  /// Compares a client's books with what the server says after its restart.
  private static func check(_ books: Books, _ client: RPCClient) async throws {
    let login = LoginServiceClient(client)
    for (token, profile) in books.sessions {
      do throws(RPCError) {
        let answer = try await login.getProfile(GetProfileRequest(), options: options(token))
        #expect(answer.profile?.profileID == profile)
        #expect(!books.ended.contains(token))
      } catch {
        #expect(error.info?.reason == "SESSION_ENDED", "\(error)")
        #expect(books.ended.contains(token) || books.doubtful.contains(token))
      }
    }
    try await checkPurchases(books, client)
  }

  private static func checkPurchases(_ books: Books, _ client: RPCClient) async throws {
    let payments = PaymentsServiceClient(client)
    let profiles = Dictionary(uniqueKeysWithValues: books.sessions.map { ($0.token, $0.profile) })
    var expected: [String: Set<String>] = [:]
    var sessions: [String: CallOptions] = [:]
    for (token, key, transaction) in books.purchases {
      let profile = try #require(profiles[token])
      let session = try await session(of: token, books, client)
      // The retry that a client makes whose answer was lost; harmless for one that has its answer.
      let retry = try await payments.createPurchase(request(key), options: session)
      let found = try #require(retry.transaction)
      #expect(found.state == .purchased)
      if let transaction {
        #expect(retry.replayed)
        #expect(found.transactionID == transaction)
      }
      expected[profile, default: []].insert(found.transactionID)
      sessions[profile] = session
    }
    for (profile, transactions) in expected {
      let listed = try await payments.listTransactions(
        ListTransactionsRequest(pageSize: 500), options: sessions[profile] ?? CallOptions()
      ).transactions
      #expect(listed.count == transactions.count)
      #expect(Set(listed.map(\.transactionID)) == transactions)
    }
  }

  /// The options of a session of the same user as an earlier one, which may have ended.
  private static func session(
    of token: String, _ books: Books, _ client: RPCClient
  ) async throws -> CallOptions {
    guard let index = books.sessions.firstIndex(where: { $0.token == token }) else {
      throw EndToEndFailure("a purchase without a session")
    }
    let purchase = try #require(books.purchases.first { $0.token == token })
    // key-NAME-INDEX tells the user: user-NAME-(INDEX / 3).
    let name = purchase.key.dropFirst("key-".count).split(separator: "-").dropLast()
    let user = "user-\(name.joined(separator: "-"))-\(index / 3)"
    let answer = try await LoginServiceClient(client).createSession(
      CreateSessionRequest(appID: Workspace.app, credential: .externalUserID(user)))
    #expect(answer.profileID == books.sessions[index].profile)
    return options(answer.sessionToken)
  }
}
