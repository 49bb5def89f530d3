import OnsideClient
import OnsideProto
import RPC
import Synchronization

/// Opens once; whoever waits goes on then.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// A marketplace whose answers a test decides, and that remembers what it was asked.
final class FakeMarketplace: Sendable {
  /// One call, as it arrived.
  struct Arrival: Sendable {
    let method: String
    let token: String?
    let appKey: String?
    let detail: String
  }

  /// What happens before a method answers its n-th call, from 1; it may wait or throw.
  typealias Hook = @Sendable (_ call: Int) async throws -> Void

  private struct State {
    var arrivals: [Arrival] = []
    var hooks: [String: Hook] = [:]
  }

  private let state = Mutex(State())

  func calls(_ method: String) -> [Arrival] {
    state.withLock { $0.arrivals.filter { $0.method == method } }
  }

  func before(_ method: String, _ hook: @escaping Hook) {
    state.withLock { $0.hooks[method] = hook }
  }

  /// Keeps a method's calls waiting until `answer` is opened; `arrived` opens with the first.
  func hold(_ method: String) -> (arrived: Gate, answer: Gate) {
    let (arrived, answer) = (Gate(), Gate())
    before(method) { _ in
      arrived.open()
      await answer.wait()
    }
    return (arrived, answer)
  }

  fileprivate func arrive(_ context: ServerContext, _ detail: String = "") async throws -> Int {
    let arrival = Arrival(
      method: context.method.method,
      token: context.metadata.first("authorization").map { String($0.dropFirst(7)) },
      appKey: context.metadata.first("onside-app-key"), detail: detail)
    let (count, hook) = state.withLock { state in
      state.arrivals.append(arrival)
      return (
        state.arrivals.count { $0.method == arrival.method }, state.hooks[arrival.method]
      )
    }
    try await hook?(count)
    return count
  }

  /// A client of this marketplace.
  func client(
    _ configuration: OnsideClient.Configuration = .init(appID: "com.example.shop")
  ) throws -> OnsideClient {
    var registry = MethodRegistry()
    registry.add(FakeLogin(marketplace: self))
    registry.add(FakeProducts(marketplace: self))
    registry.add(FakePayments(marketplace: self))
    for method in registry.methods { registry.authorize(method, .anyone) }
    return OnsideClient(invoker: try InProcessTransport(registry), configuration: configuration)
  }

  static let storefront = Storefront(id: "DE", countryCode: "DE")
  static let price = Money(minorUnits: 499, currencyCode: "EUR", exponent: 2)
}

struct FakeLogin: LoginService {
  let marketplace: FakeMarketplace

  func createSession(
    _ request: CreateSessionRequest, context: ServerContext
  ) async throws -> CreateSessionResponse {
    let call = try await marketplace.arrive(context, request.externalUserID ?? "nil")
    return CreateSessionResponse(
      sessionToken: "token-\(call)", profileID: "profile-\(request.externalUserID ?? "")",
      created: true, expiresAtMs: 1_000, storefrontCountry: "DE")
  }

  func getProfile(
    _ request: GetProfileRequest, context: ServerContext
  ) async throws -> GetProfileResponse {
    _ = try await marketplace.arrive(context)
    return GetProfileResponse(
      profile: Profile(
        profileID: "profile", kind: .external, appID: "com.example.shop", externalUserID: "anna",
        storefront: FakeMarketplace.storefront, createdAtMs: 1))
  }

  func endSession(
    _ request: EndSessionRequest, context: ServerContext
  ) async throws -> EndSessionResponse {
    _ = try await marketplace.arrive(context)
    return EndSessionResponse()
  }
}

private struct FakeProducts: ProductsService {
  let marketplace: FakeMarketplace

  func listProducts(
    _ request: ListProductsRequest, context: ServerContext
  ) async throws -> ListProductsResponse {
    _ = try await marketplace.arrive(context, "\(request.appID)/\(request.countryHint)")
    let products = request.productIdentifiers.map {
      Product(productIdentifier: $0, title: $0, kind: .consumable, price: FakeMarketplace.price)
    }
    return ListProductsResponse(products: products, storefront: FakeMarketplace.storefront)
  }
}

struct FakePayments: PaymentsService {
  let marketplace: FakeMarketplace

  func createPurchase(
    _ request: CreatePurchaseRequest, context: ServerContext
  ) async throws -> CreatePurchaseResponse {
    _ = try await marketplace.arrive(context, request.idempotencyKey)
    return CreatePurchaseResponse(
      transaction: transaction(request.idempotencyKey, token: request.appAccountToken))
  }

  func finishTransaction(
    _ request: FinishTransactionRequest, context: ServerContext
  ) async throws -> FinishTransactionResponse {
    _ = try await marketplace.arrive(context, request.transactionID)
    return FinishTransactionResponse(transaction: transaction(request.transactionID))
  }

  /// 1,200 transactions, in pages of the size that is asked for.
  func listTransactions(
    _ request: ListTransactionsRequest, context: ServerContext
  ) async throws -> ListTransactionsResponse {
    _ = try await marketplace.arrive(context, "\(request.pageSize)")
    let first = Int(request.pageToken) ?? 0
    let end = min(1_200, first + Int(request.pageSize))
    return ListTransactionsResponse(
      transactions: (first..<end).map { transaction("\($0)") },
      nextPageToken: end == 1_200 ? "" : "\(end)")
  }

  private func transaction(_ id: String, token: String? = nil) -> Transaction {
    Transaction(
      transactionID: id, originalTransactionID: id, productIdentifier: "coins",
      productKind: .consumable, state: .purchased, price: FakeMarketplace.price,
      storefront: FakeMarketplace.storefront, appAccountToken: token)
  }
}
