import OnsideProto
import RPC
import Synchronization

struct FakeProductsService: ProductsService {
  let service: FakeService

  func listProducts(
    _ request: ListProductsRequest, context: ServerContext
  ) async throws -> ListProductsResponse {
    try await service.perform(context, request.countryHint) { books in
      let profile = (try? books.profileID(context)).flatMap { books.accounts[$0]?.profile }
      let country = request.countryHint.isEmpty ? "DE" : request.countryHint
      var answer = ListProductsResponse(
        storefront: profile?.storefront ?? Storefront(id: country, countryCode: country))
      for id in request.productIdentifiers {
        guard let kind = FakeService.catalogue.first(where: { $0.0 == id })?.1 else {
          answer.invalidIdentifiers.append(id)
          continue
        }
        if profile?.kind == .external, kind != .consumable {
          answer.unsupportedIdentifiers.append(id)
        } else {
          answer.products.append(
            Product(productIdentifier: id, title: id, kind: kind, price: books.price(id)))
        }
      }
      return answer
    }
  }
}

struct FakePaymentsService: PaymentsService {
  let service: FakeService

  func createPurchase(
    _ request: CreatePurchaseRequest, context: ServerContext
  ) async throws -> CreatePurchaseResponse {
    try await service.perform(context, request.idempotencyKey) { books in
      let profileID = try books.profileID(context)
      if let known = books.purchases.first(where: {
        $0.profileID == profileID && $0.key == request.idempotencyKey
      }) {
        return CreatePurchaseResponse(transaction: known.transaction, replayed: true)
      }
      guard request.storefrontID == books.accounts[profileID]?.profile.storefront?.id else {
        throw books.refusal(.failedPrecondition, "STOREFRONT_CHANGED")
      }
      guard request.price == books.price(request.productIdentifier) else {
        throw books.refusal(.failedPrecondition, "PRICE_CHANGED")
      }
      if request.productIdentifier == "gate",
        books.purchases.contains(where: {
          $0.profileID == profileID && $0.transaction.productIdentifier == "gate"
        })
      {
        throw books.refusal(.failedPrecondition, "ALREADY_OWNED")
      }
      let id = books.record(
        request.productIdentifier, books.outcome, request.appAccountToken, profileID,
        key: request.idempotencyKey)
      if books.outcome == .purchased {
        books.charges.append(
          FakeService.Charge(profileID: profileID, key: request.idempotencyKey))
      }
      return CreatePurchaseResponse(
        transaction: books.purchases.first { $0.transaction.transactionID == id }?.transaction)
    }
  }

  func finishTransaction(
    _ request: FinishTransactionRequest, context: ServerContext
  ) async throws -> FinishTransactionResponse {
    try await service.perform(context, request.transactionID) { books in
      let profileID = try books.profileID(context)
      guard
        let known = books.purchases.first(where: {
          $0.profileID == profileID && $0.transaction.transactionID == request.transactionID
        })
      else { throw books.refusal(.notFound, "TRANSACTION_NOT_FOUND") }
      if !known.transaction.finished { books.change(request.transactionID) { $0.finished = true } }
      return FinishTransactionResponse(transaction: known.transaction)
    }
  }

  func listTransactions(
    _ request: ListTransactionsRequest, context: ServerContext
  ) async throws -> ListTransactionsResponse {
    try await service.perform(context) { books in
      let profileID = try books.profileID(context)
      return ListTransactionsResponse(
        transactions: books.purchases.filter {
          $0.profileID == profileID && !$0.transaction.finished
        }.map(\.transaction))
    }
  }

  func listPurchases(
    _ request: ListPurchasesRequest, context: ServerContext
  ) async throws -> ListPurchasesResponse {
    try await service.perform(context) { books in
      let profileID = try books.profileID(context)
      return ListPurchasesResponse(
        transactions: books.purchases.filter {
          $0.profileID == profileID && $0.transaction.state == .purchased
            && $0.transaction.productKind != .consumable
        }.map(\.transaction))
    }
  }

  func watchTransactions(
    _ request: WatchTransactionsRequest, responses: ResponseWriter<WatchTransactionsResponse>,
    context: ServerContext
  ) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: WatchTransactionsResponse.self)
    let (profileID, id) = try await service.perform(context, request.cursor) { books in
      let profileID = try books.profileID(context)
      let events = books.accounts[profileID]?.events ?? []
      if request.cursor == "lost" { throw books.refusal(.outOfRange, "CURSOR_INVALID") }
      let from = Int(request.cursor) ?? events.count
      continuation.yield(WatchTransactionsResponse(cursor: "\(from)"))
      for event in events.dropFirst(from) { continuation.yield(event) }
      let id = books.makeID()
      books.accounts[profileID]?.watchers[id] = continuation
      return (profileID, id)
    }
    defer {
      _ = service.books.withLock { $0.accounts[profileID]?.watchers.removeValue(forKey: id) }
    }
    for await answer in stream { try await responses.send(answer) }
    throw RPCError(.unavailable, "the watch was cut")
  }

  func getReceipt(
    _ request: GetReceiptRequest, context: ServerContext
  ) async throws -> GetReceiptResponse {
    try await service.perform(context, request.transactionID) { books in
      let known = books.purchases.first {
        $0.transaction.transactionID == request.transactionID
      }
      return GetReceiptResponse(
        receipt: Receipt(
          number: request.transactionID, appName: "Shop", productTitle: "Coins",
          transaction: known?.transaction, paymentMethod: "Apple Pay"))
    }
  }

  func getSignedHistory(
    _ request: GetSignedHistoryRequest, context: ServerContext
  ) async throws -> GetSignedHistoryResponse {
    try await service.perform(context) { books in
      GetSignedHistoryResponse(jws: "jws-of-\(try books.profileID(context))")
    }
  }

  func getKeySet(
    _ request: GetKeySetRequest, context: ServerContext
  ) async throws -> GetKeySetResponse { GetKeySetResponse(jwkSet: "{}") }
}

/// Cards of a profile: all numbers are good but those that end in 0.
extension FakePaymentsService {
  func addCard(
    _ request: AddCardRequest, context: ServerContext
  ) async throws -> AddCardResponse {
    try await service.perform(context) { books in
      let profileID = try books.profileID(context)
      guard !request.number.hasSuffix("0") else {
        throw books.refusal(.invalidArgument, "CARD_INVALID")
      }
      let card = Card(
        cardID: "card-\(books.makeID())", brand: "Visa", lastFour: String(request.number.suffix(4)),
        expiryMonth: request.expiryMonth, expiryYear: request.expiryYear,
        isDefault: books.accounts[profileID]?.cards.isEmpty ?? true)
      books.accounts[profileID]?.cards.append(card)
      return AddCardResponse(card: card)
    }
  }

  func listCards(
    _ request: ListCardsRequest, context: ServerContext
  ) async throws -> ListCardsResponse {
    try await service.perform(context) { books in
      ListCardsResponse(cards: books.accounts[try books.profileID(context)]?.cards ?? [])
    }
  }

  func removeCard(
    _ request: RemoveCardRequest, context: ServerContext
  ) async throws -> RemoveCardResponse {
    try await service.perform(context, request.cardID) { books in
      let profileID = try books.profileID(context)
      books.accounts[profileID]?.cards.removeAll { $0.cardID == request.cardID }
      return RemoveCardResponse()
    }
  }

  func setDefaultCard(
    _ request: SetDefaultCardRequest, context: ServerContext
  ) async throws -> SetDefaultCardResponse {
    try await service.perform(context, request.cardID) { books in
      let profileID = try books.profileID(context)
      for place in (books.accounts[profileID]?.cards ?? []).indices {
        let id = books.accounts[profileID]?.cards[place].cardID
        books.accounts[profileID]?.cards[place].isDefault = id == request.cardID
      }
      return SetDefaultCardResponse(
        card: books.accounts[profileID]?.cards.first { $0.cardID == request.cardID })
    }
  }
}
