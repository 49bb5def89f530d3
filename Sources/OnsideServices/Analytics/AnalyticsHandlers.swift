import OnsideProto
import OnsideStore
import RPC

/// The analytics service: where installations came from, and what their users do.
struct AnalyticsHandlers: AnalyticsService {
  let gate: AppGate
  let store: any Store
  let clock: ServiceClock
}
