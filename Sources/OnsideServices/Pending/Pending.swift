import OnsideProto
import RPC

// For the branch only: what is still to be written. Each part takes its methods out of here; the
// branch isn't merged before this file is gone.

private func pending() -> RPCError { RPCError(.unimplemented, "not yet") }

extension LoginHandlers {
  func sendPhoneCode(
    _ request: SendPhoneCodeRequest, context: ServerContext
  ) async throws -> SendPhoneCodeResponse { throw pending() }

  func beginStoreLogin(
    _ request: BeginStoreLoginRequest, context: ServerContext
  ) async throws -> BeginStoreLoginResponse { throw pending() }
}

extension PaymentsHandlers {
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

extension SandboxHandlers {
  func setStorefront(
    _ request: SetStorefrontRequest, context: ServerContext
  ) async throws -> SetStorefrontResponse { throw pending() }

  func listPhoneCodes(
    _ request: ListPhoneCodesRequest, context: ServerContext
  ) async throws -> ListPhoneCodesResponse { throw pending() }

  func listStoreLogins(
    _ request: ListStoreLoginsRequest, context: ServerContext
  ) async throws -> ListStoreLoginsResponse { throw pending() }

  func decideStoreLogin(
    _ request: DecideStoreLoginRequest, context: ServerContext
  ) async throws -> DecideStoreLoginResponse { throw pending() }

  func listAccountPurchases(
    _ request: ListAccountPurchasesRequest, context: ServerContext
  ) async throws -> ListAccountPurchasesResponse { throw pending() }

  func listDeferredPurchases(
    _ request: ListDeferredPurchasesRequest, context: ServerContext
  ) async throws -> ListDeferredPurchasesResponse { throw pending() }

  func decideDeferredPurchase(
    _ request: DecideDeferredPurchaseRequest, context: ServerContext
  ) async throws -> DecideDeferredPurchaseResponse { throw pending() }
}
