import OnsideProto
import RPC

// For the branch only: what is still to be written. Each part takes its methods out of here; the
// branch isn't merged before this file is gone.

private func pending() -> RPCError { RPCError(.unimplemented, "not yet") }

extension SandboxHandlers {
  func listAccountPurchases(
    _ request: ListAccountPurchasesRequest, context: ServerContext
  ) async throws -> ListAccountPurchasesResponse { throw pending() }
}
