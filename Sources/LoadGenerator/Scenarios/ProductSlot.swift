import LoadReporting
import OnsideClient
import ProtobufWire
import RPC

/// Lists products as one external profile and checks how they are split.
final class ProductSlot: Slot, @unchecked Sendable {
  /// The check that all of them together make.
  static let check = CheckResult(
    name: "products_partitioned", title: "identifiers split rightly")

  private let customer: OnsideClient
  private let user: String
  private let sampling: ServiceTimeSampling
  private let queries: [ProductQuery]
  @exclusivity(unchecked) private var place: Int
  @exclusivity(unchecked) private var partition = PartitionCheck()
  @exclusivity(unchecked) private var call: Query?
  @exclusivity(unchecked) private var asking = ServiceTimeTurn(.off)

  /// - Parameters:
  ///   - queries: what is asked for, in turn.
  ///   - number: the simulated client's: it says which user it is, and with which of the queries it
  ///     begins.
  init(
    _ lane: LoadLane, client: any LoadClient, queries: [ProductQuery], context: ScenarioContext,
    number: Int
  ) {
    customer = context.customer(client)
    user = context.names.text(UInt64(number))
    sampling = context.plan.serviceTime
    self.queries = queries
    // Spread over the queries, so that not all ask the same.
    place = (number &* 37) % queries.count
    let call = Query(customer)
    self.call = call
    super.init(lane)
    call.slot = self
  }

  /// Logs in.
  override func prepare() async throws(SetupError) {
    guard let call else { return }
    do throws(OnsideError) {
      try await customer.logIn(externalUserID: user)
      try call.prepare()
      asking = ServiceTimeTurn(sampling, options: call.options)
    } catch {
      throw SetupError(error, doing: "logging in")
    }
  }

  override func begin() {
    guard let call else { return }
    place = place + 1 < queries.count ? place + 1 : 0
    asking.prepare(call)
    do throws(OnsideError) {
      try call.start(queries[place].request)
    } catch {
      fail(error)
    }
  }

  override func end() { call = nil }

  fileprivate func take(_ response: UnsafeRawBufferPointer) {
    do throws(WireError) {
      let problem = try partition.problem(response, of: queries[place])
      lane.figures.checks[0].count(problem == nil, wrong: problem ?? "")
      if let problem { return fail(check: problem) }
    } catch {
      return fail(
        RPCError(.internal, "the response can't be read: \(error)", cause: error, phase: .answered))
    }
    lane.moved(request: queries[place].request.encoded.count, response: response.count)
    succeed()
  }
}

/// The queries of a slot.
private final class Query: DirectProductQuery, @unchecked Sendable {
  @exclusivity(unchecked) var slot: ProductSlot?

  override func prefetch() {
    super.prefetch()
    if let slot { RPC.prefetch(slot, bytes: 192) }
  }

  override func answered(_ response: UnsafeRawBufferPointer) { slot?.take(response) }

  override func refused(_ error: OnsideError) { slot?.fail(error) }
}
