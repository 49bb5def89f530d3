import LoadReporting
import OnsideClient
import OnsideDomain
import RPC
import RPCTransport

/// Holds streams of transactions open, each of a user of its own, and buys as one of the users
/// after the other: the purchase has to come on that user's stream, once, and on no other one.
final class WatchSlot: Slot, @unchecked Sendable {
  /// What a call is made of, in order.
  enum Step: Int, CaseIterable {
    case buy, event

    /// As in the report.
    var name: String {
      switch self {
      case .buy: "buy"
      case .event: "event after the answer"
      }
    }
  }

  /// The check that all of them together make.
  static let check = CheckResult(name: "watch_events_once", title: "events came once")

  private let invoker: TalliedInvoker
  private let context: ScenarioContext
  private let number: Int
  private let keyPrefix: String
  private var random: SeededRandom
  private var watchers: [Watcher] = []
  private var products: [ProductRecord] = []
  private var purchases = 0

  init(_ lane: LoadLane, client: any LoadClient, context: ScenarioContext, number: Int) {
    invoker = TalliedInvoker(base: client, tally: lane.tally)
    self.context = context
    self.number = number
    keyPrefix = "watch-\(String(context.plan.seed, radix: 16))-\(number)-"
    random = context.random(number)
    super.init(lane)
  }

  /// Signs all users in, and opens their streams.
  override func prepare() async throws(SetupError) {
    for index in 0..<context.plan.watchers {
      let watcher = Watcher(context.customer(invoker), on: lane.loop) { [weak lane] problem in
        lane?.figures.checks[0].count(problem == nil, wrong: problem ?? "")
      }
      watchers.append(watcher)
      do throws(OnsideError) {
        let user = UInt64(number * context.plan.watchers + index)
        try await watcher.customer.logIn(externalUserID: context.names.text(user))
        if products.isEmpty {
          products = try await watcher.customer.products(identifiers()).products
        }
      } catch {
        throw SetupError(error, doing: "logging a watcher in")
      }
      if let error = await watcher.open() {
        throw SetupError(error, doing: "opening a stream of transactions")
      }
    }
    guard !products.isEmpty else {
      throw SetupError(.products, "none of the products can be bought by an external profile")
    }
  }

  override func begin() {
    Task.immediate(executorPreference: lane.loop) { await buyAndWait() }
  }

  override func end() {
    for watcher in watchers { watcher.close() }
    watchers = []
  }

  private func buyAndWait() async {
    purchases += 1
    let watcher = watchers[purchases % watchers.count]
    let product = products[Int.random(in: products.indices, using: &random)]
    let request = PurchaseRequest(
      product, paymentMethod: .applePay(token: context.plan.applePayToken),
      idempotencyKey: keyPrefix + String(purchases))
    let bought: TransactionRecord
    do throws(OnsideError) {
      bought = try await watcher.customer.purchase(request)
    } catch {
      watcher.ledger.lost()
      return fail(error)
    }
    let answered = ProcessClock.monotonic()
    stepped(Step.buy.rawValue, took: answered &- begun, now: answered)
    lane.figures.fingerprints.append(bought.id)
    guard bought.state == .purchased else {
      return fail(check: "a purchase with a token for success has the state \(bought.state)")
    }
    watcher.ledger.acknowledged(bought.id)
    let until = answered &+ context.plan.timeout.inNanoseconds
    guard let came = await watcher.wait(for: .purchased(bought.id), until: until) else {
      return violate("the purchase \(bought.id) never came on its user's stream")
    }
    if let problem = watcher.ledger.settle() { return violate(problem) }
    stepped(Step.event.rawValue, took: came &- min(came, answered), now: came)
    succeed(now: came)
  }

  private func violate(_ problem: String) {
    lane.figures.checks[0].violate(problem)
    fail(check: problem)
  }

  /// Some that can be bought.
  private func identifiers() -> [String] {
    guard let pool = context.products else { return [] }
    let places = pool.buyable.shuffled(using: &random).prefix(context.plan.listSize)
    return places.map { pool.items[$0].identifier }
  }
}

extension Slot {
  /// What the client made of a call's failure; the failure itself says more.
  func fail(_ error: OnsideError) {
    fail(error.callFailure)
  }
}

extension OnsideError {
  /// The failure of the call that it is of. One that the client didn't make would fail at once
  /// again, and the server knows nothing of it.
  var callFailure: RPCError {
    if let cause { return cause }
    let text = "\(code): \(message)"
    switch code {
    case .invalidResponse, .superseded: return RPCError(.unknown, text, phase: .answered)
    default: return RPCError(.failedPrecondition, text, phase: .queued, wasStarted: false)
    }
  }
}

extension SetupError {
  /// A step of a customer's that is needed before the load.
  init(_ error: OnsideError, doing what: String) {
    if let cause = error.cause {
      self.init(cause, doing: what)
    } else {
      self.init(.refused, "\(what): \(printable(error.message))")
    }
  }
}
