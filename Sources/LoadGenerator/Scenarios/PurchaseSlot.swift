import LoadReporting
import OnsideClient
import OnsideDomain
import RPC
import RPCTransport

/// A customer's way: log in, list products, buy one, finish the transaction, each time as an
/// ``OnsideClient`` of its own. One call of the scenario is all four steps. A journey goes on to
/// log out, and thinks between its steps.
final class PurchaseSlot: Slot, @unchecked Sendable {
  /// What the way is made of, in order.
  enum Step: Int, CaseIterable {
    case logIn, list, buy, finish, logOut

    /// As in the report. Logging in is two exchanges: the session and its profile.
    var name: String {
      switch self {
      case .logIn: "log in"
      case .list: "list products"
      case .buy: "buy"
      case .finish: "finish"
      case .logOut: "log out"
      }
    }
  }

  /// The check that a purchase which is made again with its key is the same.
  static let check = CheckResult(
    name: "purchases_repeatable", title: "purchases made again are the same")

  private let invoker: TalliedInvoker
  private let users: SharedTurn
  private let context: ScenarioContext
  private let buyable: [Int]
  private let keyPrefix: String
  private var keys = 0
  private var random: SeededRandom
  private var stepBegun: UInt64 = 0

  /// Steps that the customer pauses after.
  private let isJourney: Bool

  init(
    _ lane: LoadLane, client: any LoadClient, users: SharedTurn, context: ScenarioContext,
    number: Int
  ) {
    invoker = TalliedInvoker(base: client, tally: lane.tally)
    self.users = users
    self.context = context
    isJourney = context.plan.scenario == .journey
    random = context.random(number)
    buyable = context.products?.buyable ?? []
    keyPrefix = Self.keyPrefix(seed: context.plan.seed) + "\(number)-"
    super.init(lane)
  }

  /// What the keys of all purchases of a load begin with.
  static func keyPrefix(seed: UInt64) -> String { "load-\(String(seed, radix: 16))-" }

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
    let customer = context.customer(invoker)
    let user = users.turn.take()
    try await customer.logIn(externalUserID: context.names.text(user))
    await ended(.logIn)

    let wanted = identifiers()
    let list = try await customer.products(wanted)
    await ended(.list)
    guard let product = list.products.randomElement(using: &random) else {
      return "none of these can be bought: \(wanted.joined(separator: ", "))"
    }
    if let problem = try await buy(product, customer, user) { return problem }
    guard isJourney else { return nil }
    try await customer.logOut()
    await ended(.logOut)
    return nil
  }

  /// Buys a product and finishes the transaction.
  private func buy(
    _ product: ProductRecord, _ customer: OnsideClient, _ user: UInt64
  ) async throws(OnsideError) -> String? {
    keys += 1
    let key = keyPrefix + String(keys)
    let request = PurchaseRequest(
      product, paymentMethod: .applePay(token: context.plan.applePayToken), appAccountToken: key,
      idempotencyKey: key)
    let bought = try await purchase(request, customer, user)
    await ended(.buy)
    lane.figures.fingerprints.append(bought.id)
    guard bought.state == .purchased else {
      return "a purchase with a token for success has the state \(bought.state)"
    }
    guard bought.productIdentifier == product.identifier, bought.price == product.price else {
      return "bought \(product.identifier), and the transaction is of \(bought.productIdentifier)"
    }
    if let problem = try await purchaseAgain(request, bought, customer) { return problem }
    let finished = try await customer.finish(transactionID: bought.id)
    await ended(.finish)
    return finished.isFinished ? nil : "a finished transaction isn't finished"
  }

  private func purchase(
    _ request: PurchaseRequest, _ customer: OnsideClient, _ user: UInt64
  ) async throws(OnsideError) -> TransactionRecord {
    do throws(OnsideError) {
      let bought = try await customer.purchase(request)
      lane.figures.purchases.acknowledged(bought.id, of: user)
      return bought
    } catch {
      lane.figures.purchases.unknown(request.idempotencyKey, of: user)
      throw error
    }
  }

  /// Of a share of the purchases: the same again, as a client does that got no answer.
  private func purchaseAgain(
    _ request: PurchaseRequest, _ bought: TransactionRecord, _ customer: OnsideClient
  ) async throws(OnsideError) -> String? {
    guard Double.random(in: 0..<1, using: &random) < context.plan.repeatShare else { return nil }
    let again = try await customer.purchase(request)
    stepBegun = ProcessClock.monotonic()
    let problem =
      again.id == bought.id
      ? nil : "the purchase \(bought.id) made again with its key became \(again.id)"
    lane.figures.checks[0].count(problem == nil, wrong: problem ?? "")
    return problem
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

  /// Notes how long a step took; in a journey, thinks before the next one.
  private func ended(_ step: Step) async {
    let now = ProcessClock.monotonic()
    stepped(step.rawValue, took: now &- stepBegun, now: now)
    stepBegun = now
    guard isJourney, step != .logOut, let pause = context.plan.stepPause else { return }
    await think(UInt64.random(in: pause, using: &random))
    stepBegun = ProcessClock.monotonic()
  }

  /// Waits, though not beyond the end of the run, which may come earlier than planned.
  private func think(_ nanoseconds: UInt64) async {
    let end = ProcessClock.monotonic() &+ nanoseconds
    while true {
      let now = ProcessClock.monotonic()
      guard now < end, now < lane.window.closes else { return }
      let piece = min(end &- now, lane.window.closes &- now, 100_000_000)
      try? await Task.sleep(for: .nanoseconds(Int64(piece)))
    }
  }
}
