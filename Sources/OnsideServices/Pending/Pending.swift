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
}
