import LoadReporting
import OnsideClient
import OnsideDomain
import RPC
import RPCTransport

/// A customer's way: log in, list products, buy one, finish the transaction, each time as an
/// ``OnsideClient`` of its own. One call of the scenario is all four steps.
final class PurchaseSlot: Slot, @unchecked Sendable {
  /// What the way is made of, in order.
  enum Step: Int, CaseIterable {
    case logIn, list, buy, finish

    /// As in the report. Logging in is two exchanges: the session and its profile.
    var name: String {
      switch self {
      case .logIn: "log in"
      case .list: "list products"
      case .buy: "buy"
      case .finish: "finish"
      }
    }
  }

  private let client: any LoadClient
  private let users: SharedTurn
  private let context: ScenarioContext
  private let configuration: OnsideClient.Configuration
  private let buyable: [Int]
  private let keyPrefix: String
  private var keys = 0
  private var random: SeededRandom
  private var stepBegun: UInt64 = 0

  init(
    _ lane: LoadLane, client: any LoadClient, users: SharedTurn, context: ScenarioContext,
    number: Int
  ) {
    self.client = client
    self.users = users
    self.context = context
    // What fails is to be seen as failed: nothing is tried again.
    configuration = OnsideClient.Configuration(
      appID: context.plan.appID, appKey: context.plan.appKey, timeout: context.plan.timeout,
      purchaseAttempts: 1)
    random = context.random(number)
    buyable = context.products?.buyable ?? []
    keyPrefix = "load-\(String(context.plan.seed, radix: 16))-\(number)-"
    super.init(lane)
  }

  override func begin() {
    stepBegun = begun
    Task.immediate(executorPreference: lane.loop) { await goThrough() }
  }

  private func goThrough() async {
    let problem: String?
    do throws(OnsideError) {
      problem = try await purchase()
    } catch {
      return fail(error)
    }
    if let problem { fail(check: problem) } else { succeed(now: stepBegun) }
  }

  /// - Returns: what was wrong; nil: nothing.
  private func purchase() async throws(OnsideError) -> String? {
    let customer = OnsideClient(invoker: client, configuration: configuration)
    try await customer.logIn(externalUserID: context.names.text(users.turn.take()))
    ended(.logIn)

    let wanted = identifiers()
    let list = try await customer.products(wanted)
    ended(.list)
    guard let product = list.products.randomElement(using: &random) else {
      return "none of these can be bought: \(wanted.joined(separator: ", "))"
    }

    keys += 1
    let request = PurchaseRequest(
      product, paymentMethod: .applePay(token: context.plan.applePayToken),
      idempotencyKey: keyPrefix + String(keys))
    let bought = try await customer.purchase(request)
    ended(.buy)
    lane.figures.fingerprints.append(bought.id)
    guard bought.state == .purchased else {
      return "a purchase with a token for success has the state \(bought.state)"
    }
    guard bought.productIdentifier == product.identifier, bought.price == product.price else {
      return "bought \(product.identifier), and the transaction is of \(bought.productIdentifier)"
    }

    let finished = try await customer.finish(transactionID: bought.id)
    ended(.finish)
    return finished.isFinished ? nil : "a finished transaction isn't finished"
  }

  /// Any products, and among them one that can be bought, so that no list ends the journey.
  private func identifiers() -> [String] {
    guard let pool = context.products, let buyable = buyable.randomElement(using: &random)
    else { return [] }
    let others = (1..<context.plan.listSize).map { _ in
      Int.random(in: pool.items.indices, using: &random)
    }
    return ([buyable] + others).map { pool.items[$0].identifier }
  }

  private func ended(_ step: Step) {
    let now = ProcessClock.monotonic()
    stepped(step.rawValue, took: now &- stepBegun, now: now)
    stepBegun = now
  }

  /// What the client made of a call's failure; the failure itself says more.
  private func fail(_ error: OnsideError) {
    if let cause = error.cause { return fail(cause) }
    fail(RPCError(.unknown, "\(error.code): \(error.message)", phase: .answered))
  }
}
