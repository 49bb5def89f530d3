import OnsideProto
import ProtobufWire
import RPC
import Synchronization

@testable import LoadGenerator

/// Answers as the service does, from memory.
final class ScriptedMarketplace: Sendable {
  struct State: Sendable {
    var users: Set<String> = []
    var sessions = 0
    var transactions: [String: Transaction] = [:]
    var keys: Set<String> = []

    /// Whose session a token is.
    var tokens: [String: String] = [:]

    /// The token of the call that is answered.
    var token = ""

    /// By transaction.
    var buyers: [String: String] = [:]
  }

  /// Notes whose call is answered next.
  func note(_ call: OutgoingCall) {
    let token = call.options.metadata.first("authorization")?.dropFirst("Bearer ".count)
    state.withLock { $0.token = token.map { String($0) } ?? "" }
  }

  let state = Mutex(State())

  /// Even numbers are consumables, odd ones are not, those from 90 on don't exist.
  static let pool: [ProductPool.Item] = (0..<90).map {
    ProductPool.Item("item-\($0)", $0 % 2 == 0 ? .consumable : .other)
  }

  func reply(_ method: String, _ request: [UInt8]) -> ScriptedServer.Reply {
    do throws(WireError) {
      switch method {
      case "onside.v1.LoginService/CreateSession":
        return .message(session(try CreateSessionRequest(serialized: request)).serialized())
      case "onside.v1.LoginService/GetProfile":
        return .message(profile.serialized())
      case "onside.v1.ProductsService/ListProducts":
        return .message(list(try ListProductsRequest(serialized: request)).serialized())
      case "onside.v1.PaymentsService/CreatePurchase":
        return .message(purchase(try CreatePurchaseRequest(serialized: request)).serialized())
      case "onside.v1.LoginService/EndSession":
        return .message(EndSessionResponse().serialized())
      case "onside.v1.PaymentsService/ListTransactions":
        return .message(transactions.serialized())
      case "onside.v1.PaymentsService/FinishTransaction":
        return .message(finish(try FinishTransactionRequest(serialized: request)).serialized())
      default:
        return .refused(RPCError(.unimplemented, method, phase: .answered))
      }
    } catch {
      return .refused(RPCError(.invalidArgument, "\(error)", phase: .answered))
    }
  }

  private static let id = "00000000-0000-4000-8000-000000000000"
  private static let storefront = Storefront(id: "DE", countryCode: "DE")

  private func session(_ request: CreateSessionRequest) -> CreateSessionResponse {
    state.withLock { state in
      state.sessions += 1
      state.tokens["token-\(state.sessions)"] = request.externalUserID ?? ""
      return CreateSessionResponse(
        sessionToken: "token-\(state.sessions)", profileID: ScriptedMarketplace.id,
        created: state.users.insert(request.externalUserID ?? "").inserted,
        expiresAtMs: 1, storefrontCountry: "DE")
    }
  }

  private var profile: GetProfileResponse {
    GetProfileResponse(
      profile: Profile(
        profileID: ScriptedMarketplace.id, kind: .external, appID: "com.example.shop",
        externalUserID: state.withLock { $0.tokens[$0.token] ?? "" },
        storefront: ScriptedMarketplace.storefront, createdAtMs: 1))
  }

  private func list(_ request: ListProductsRequest) -> ListProductsResponse {
    var response = ListProductsResponse(storefront: ScriptedMarketplace.storefront)
    var seen: Set<String> = []
    for identifier in request.productIdentifiers where seen.insert(identifier).inserted {
      guard let number = Int(identifier.dropFirst(5)), number < 90,
        identifier.hasPrefix("item-")
      else {
        response.invalidIdentifiers.append(identifier)
        continue
      }
      if number % 2 == 0 {
        response.products.append(
          Product(
            productIdentifier: identifier, title: "t", description: "d", kind: .consumable,
            price: Money(minorUnits: 99, currencyCode: "EUR", exponent: 2)))
      } else {
        response.unsupportedIdentifiers.append(identifier)
      }
    }
    return response
  }

  /// Of the user whose call it is.
  private var transactions: ListTransactionsResponse {
    state.withLock { state in
      let user = state.tokens[state.token] ?? ""
      return ListTransactionsResponse(
        transactions: state.transactions.values.filter { state.buyers[$0.transactionID] == user })
    }
  }

  private func purchase(_ request: CreatePurchaseRequest) -> CreatePurchaseResponse {
    state.withLock { state in
      let isNew = state.keys.insert(request.idempotencyKey).inserted
      let id = "transaction-\(request.idempotencyKey)"
      state.buyers[id] = state.tokens[state.token] ?? ""
      let transaction = Transaction(
        transactionID: id, originalTransactionID: id,
        productIdentifier: request.productIdentifier, productKind: .consumable,
        state: .purchased, price: request.price, storefront: ScriptedMarketplace.storefront,
        appAccountToken: request.appAccountToken, createdAtMs: 1, updatedAtMs: 1)
      state.transactions[id] = transaction
      return CreatePurchaseResponse(transaction: transaction, replayed: !isNew)
    }
  }

  private func finish(_ request: FinishTransactionRequest) -> FinishTransactionResponse {
    state.withLock { state in
      var transaction = state.transactions[request.transactionID] ?? Transaction()
      transaction.finished = true
      state.transactions[request.transactionID] = transaction
      return FinishTransactionResponse(transaction: transaction)
    }
  }
}
