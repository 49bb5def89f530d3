import OnsideProto
import RPC

// The methods that no test has needed of the fake yet.

private func pending() -> RPCError { RPCError(.unimplemented, "the fake hasn't got this") }

extension FakeLogin {
  func sendPhoneCode(
    _ request: SendPhoneCodeRequest, context: ServerContext
  ) async throws -> SendPhoneCodeResponse { throw pending() }

  func beginStoreLogin(
    _ request: BeginStoreLoginRequest, context: ServerContext
  ) async throws -> BeginStoreLoginResponse { throw pending() }
}

extension FakePayments {
  func watchTransactions(
    _ request: WatchTransactionsRequest, responses: ResponseWriter<WatchTransactionsResponse>,
    context: ServerContext
  ) async throws { throw pending() }

  func listPurchases(
    _ request: ListPurchasesRequest, context: ServerContext
  ) async throws -> ListPurchasesResponse { throw pending() }

  func getReceipt(
    _ request: GetReceiptRequest, context: ServerContext
  ) async throws -> GetReceiptResponse { throw pending() }

  func getSignedHistory(
    _ request: GetSignedHistoryRequest, context: ServerContext
  ) async throws -> GetSignedHistoryResponse { throw pending() }

  func getKeySet(
    _ request: GetKeySetRequest, context: ServerContext
  ) async throws -> GetKeySetResponse { throw pending() }

  func addCard(
    _ request: AddCardRequest, context: ServerContext
  ) async throws -> AddCardResponse { throw pending() }

  func listCards(
    _ request: ListCardsRequest, context: ServerContext
  ) async throws -> ListCardsResponse { throw pending() }

  func removeCard(
    _ request: RemoveCardRequest, context: ServerContext
  ) async throws -> RemoveCardResponse { throw pending() }

  func setDefaultCard(
    _ request: SetDefaultCardRequest, context: ServerContext
  ) async throws -> SetDefaultCardResponse { throw pending() }
}
