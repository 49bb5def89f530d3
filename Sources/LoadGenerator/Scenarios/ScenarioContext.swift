import LoadReporting
import OnsideClient
import RPC

/// What all slots of a run share.
struct ScenarioContext: Sendable {
  let plan: LoadPlan
  let names: UserNames
  let products: ProductPool?
  let source: any LoadClientSource
  let lanes: Int

  init(
    plan: LoadPlan, products: ProductPool?, source: any LoadClientSource, lanes: Int
  ) throws(SetupError) {
    guard products != nil || !plan.scenario.needsProducts else {
      throw SetupError(.products, "\(plan.scenario.rawValue) needs --products FILE")
    }
    self.plan = plan
    self.products = products
    self.source = source
    self.lanes = lanes
    names = UserNames(seed: plan.seed)
  }

  /// The options of a call, with the session's token and the app's key.
  func options(token: String? = nil) -> CallOptions {
    var options = CallOptions(timeout: plan.timeout)
    // Both are single lines of ASCII: `add` refuses others, and the service would too.
    if let token { try? options.metadata.add("authorization", "Bearer \(token)") }
    if let key = plan.appKey { try? options.metadata.add("onside-app-key", key) }
    return options
  }

  /// A simulated client that has just come. What fails is to be seen as failed: nothing is tried
  /// again.
  func customer(_ invoker: any CallInvoker) -> OnsideClient {
    OnsideClient(
      invoker: invoker,
      configuration: OnsideClient.Configuration(
        appID: plan.appID, appKey: plan.appKey, timeout: plan.timeout, purchaseAttempts: 1))
  }

  func random(_ stream: Int) -> SeededRandom {
    SeededRandom(seed: plan.seed, stream: UInt64(bitPattern: Int64(stream)))
  }
}
