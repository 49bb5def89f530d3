import OnsideCatalogue
import OnsideProto
import OnsideStore
import RPC

/// The control of a test environment. Every call comes from an administrator.
struct SandboxHandlers: SandboxService {
  let store: any Store
  let gate: AppGate
  let login: LoginHandlers
  let catalogue: CatalogueHolder
  let purchases: PurchaseFlow
  let clock: ServiceClock
  let faults: Faults
}
