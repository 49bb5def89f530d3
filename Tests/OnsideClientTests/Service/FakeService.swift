import OnsideClient
import OnsideProto
import RPC
import Synchronization

/// A marketplace in memory that behaves as the service does: sessions, codes, purchases with their
/// keys, deliveries, watches. Tests can hold its calls up, make them fail, and look at its books.
final class FakeService: Sendable {
  struct Account: Sendable {
    var profile: Profile
    var cards: [Card] = []
    var events: [WatchTransactionsResponse] = []
    var watchers: [UInt64: AsyncStream<WatchTransactionsResponse>.Continuation] = [:]
  }

  struct Purchase: Sendable {
    let profileID: String
    let key: String
    var transaction: Transaction
  }

  struct Charge: Sendable, Hashable {
    let profileID: String
    let key: String
  }

  /// Runs before or after a method's work, with how often it was called, from 1; may wait or throw.
  typealias Hook = @Sendable (_ call: Int) async throws -> Void

  struct Books: Sendable {
    var calls: [String: [String]] = [:]
    var before: [String: Hook] = [:]
    var after: [String: Hook] = [:]
    var accounts: [String: Account] = [:]
    var sessions: [String: String] = [:]
    var codes: [String: String] = [:]
    var purchases: [Purchase] = []
    var charges: [Charge] = []
    var nextID: UInt64 = 0
    var clock: Int64 = 1_000
    var outcome = TransactionState.purchased
    var prices: [String: Int64] = [:]
    var events: [Event] = []
  }

  let books = Mutex(Books())

  /// Sold to everybody: what they cost is 4.99 unless a test says otherwise.
  static let catalogue: [(String, ProductKind)] = [
    ("coins", .consumable), ("gems", .consumable), ("gate", .nonConsumable),
    ("club", .subscription),
  ]

  func calls(_ method: String) -> [String] { books.withLock { $0.calls[method] ?? [] } }
  func before(_ method: String, _ hook: Hook?) { books.withLock { $0.before[method] = hook } }
  func after(_ method: String, _ hook: Hook?) { books.withLock { $0.after[method] = hook } }

  /// Does a method's work between its hooks; a failed `after` is a lost reply.
  func perform<Answer: Sendable>(
    _ context: ServerContext, _ detail: String = "", _ work: (inout Books) throws -> Answer
  ) async throws -> Answer {
    let method = context.method.method
    let (count, before, after) = books.withLock { books in
      books.calls[method, default: []].append(detail)
      return (books.calls[method]?.count ?? 0, books.before[method], books.after[method])
    }
    try await before?(count)
    let answer = try books.withLock { try work(&$0) }
    try await after?(count)
    return answer
  }

  func invoker() throws -> InProcessTransport {
    var registry = MethodRegistry()
    registry.add(FakeLoginService(service: self))
    registry.add(FakeProductsService(service: self))
    registry.add(FakePaymentsService(service: self))
    registry.add(FakeAnalyticsService(service: self))
    for method in registry.methods { registry.authorize(method, .anyone) }
    return try InProcessTransport(registry)
  }

  func client() throws -> OnsideClient {
    OnsideClient(
      invoker: try invoker(),
      configuration: .init(appID: "com.example.shop", purchaseAttempts: 1))
  }

  // MARK: What happens at the service

  /// Another storefront for an external user.
  func move(_ user: String, to country: String) {
    books.withLock { books in
      let storefront = Storefront(id: country, countryCode: country)
      books.accounts["external-\(user)"]?.profile.storefront = storefront
      books.tell("external-\(user)", .storefront(storefront))
    }
  }

  /// Decides about a deferred purchase.
  func approve(_ transactionID: String) {
    books.withLock { books in
      books.change(transactionID) { $0.state = .purchased }
      if let purchase = books.purchases.first(where: {
        $0.transaction.transactionID == transactionID
      }) {
        books.charges.append(Charge(profileID: purchase.profileID, key: purchase.key))
      }
    }
  }

  /// A purchase that another device of a user makes.
  func buyElsewhere(_ user: String, _ product: String, finished: Bool = false) -> String {
    books.withLock { books in
      let id = books.record(product, .purchased, nil, "external-\(user)", key: "elsewhere")
      if finished { books.change(id) { $0.finished = true } }
      return id
    }
  }

  /// Cuts all watches: they end with UNAVAILABLE.
  func cutWatches() {
    let cut = books.withLock { books in
      var cut: [AsyncStream<WatchTransactionsResponse>.Continuation] = []
      for id in books.accounts.keys {
        cut += books.accounts[id]?.watchers.values.map { $0 } ?? []
        books.accounts[id]?.watchers = [:]
      }
      return cut
    }
    for watcher in cut { watcher.finish() }
  }
}

extension FakeService.Books {
  mutating func makeID() -> UInt64 {
    nextID += 1
    return nextID
  }

  /// The profile of a session.
  func profileID(_ context: ServerContext) throws -> String {
    guard let token = context.metadata.first("authorization")?.dropFirst(7),
      let id = sessions[String(token)]
    else { throw refusal(.unauthenticated, "SESSION_ENDED") }
    return id
  }

  func refusal(_ code: StatusCode, _ reason: String) -> RPCError {
    RPCError(code, reason, info: ErrorInfo(reason: reason, domain: "onside.v1"))
  }

  mutating func tell(_ profileID: String, _ event: WatchTransactionsResponse.Event) {
    let place = (accounts[profileID]?.events.count ?? 0) + 1
    let answer = WatchTransactionsResponse(cursor: "\(place)", event: event)
    accounts[profileID]?.events.append(answer)
    for watcher in accounts[profileID]?.watchers.values.map({ $0 }) ?? [] { watcher.yield(answer) }
  }

  mutating func record(
    _ product: String, _ state: TransactionState, _ token: String?, _ profileID: String,
    key: String
  ) -> String {
    clock += 1
    let id = "t-\(makeID())"
    let kind = FakeService.catalogue.first { $0.0 == product }?.1 ?? .consumable
    let transaction = Transaction(
      transactionID: id, originalTransactionID: id, productIdentifier: product, productKind: kind,
      state: state, price: price(product),
      storefront: accounts[profileID]?.profile.storefront, appAccountToken: token,
      createdAtMs: clock, updatedAtMs: clock,
      failureReason: state == .failed ? .declined : .unspecified)
    purchases.append(
      FakeService.Purchase(profileID: profileID, key: key, transaction: transaction))
    tell(profileID, .transaction(transaction))
    return id
  }

  mutating func change(_ id: String, _ body: (inout Transaction) -> Void) {
    guard let place = purchases.firstIndex(where: { $0.transaction.transactionID == id }) else {
      return
    }
    clock += 1
    body(&purchases[place].transaction)
    purchases[place].transaction.updatedAtMs = clock
    tell(purchases[place].profileID, .transaction(purchases[place].transaction))
  }

  func price(_ product: String) -> Money {
    Money(minorUnits: prices[product] ?? 499, currencyCode: "EUR", exponent: 2)
  }
}
