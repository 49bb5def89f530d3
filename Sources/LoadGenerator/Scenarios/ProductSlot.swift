import LoadReporting
import OnsideProto
import ProtobufWire
import RPC

/// Lists products for one external profile and checks how they are split.
final class ProductSlot: Slot, @unchecked Sendable {
  /// The check that all of them together make.
  static let check = CheckResult(
    name: "products_partitioned", title: "identifiers split rightly")

  private let client: any LoadClient
  private let queries: [ProductQuery]
  private var place: Int
  private var partition = PartitionCheck()
  private var call: ProductCall?
  private var asking: ServiceTimeTurn

  /// - Parameter first: with which of the queries it begins.
  init(
    _ lane: LoadLane, client: any LoadClient, queries: [ProductQuery], first: Int,
    options: CallOptions, serviceTime: ServiceTimeSampling
  ) {
    asking = ServiceTimeTurn(serviceTime, options: options)
    self.client = client
    self.queries = queries
    place = first % queries.count
    super.init(lane)
    call = ProductCall(
      options: options, answered: { [self] in take($0) },
      refused: { [self] in fail($0) })
  }

  override func begin() {
    guard let call else { return }
    place = place + 1 < queries.count ? place + 1 : 0
    call.request = queries[place].request
    asking.prepare(call)
    client.start(call)
  }

  override func end() { call = nil }

  private func take(_ response: UnsafeRawBufferPointer) {
    do throws(WireError) {
      let problem = try partition.problem(response, of: queries[place])
      lane.figures.checks[0].count(problem == nil, wrong: problem ?? "")
      if let problem { return fail(check: problem) }
    } catch {
      return fail(
        RPCError(.internal, "the response can't be read: \(error)", cause: error, phase: .answered))
    }
    lane.moved(request: queries[place].request.count, response: response.count)
    succeed()
  }
}

/// `ListProducts` with a request that is encoded already, and a response that is handed on as it
/// came.
final class ProductCall: OutgoingCall, @unchecked Sendable {
  /// The encoded request of the next call.
  var request: [UInt8] = []

  private let answered: (UnsafeRawBufferPointer) -> Void
  private let refused: (RPCError) -> Void

  init(
    options: CallOptions, answered: @escaping (UnsafeRawBufferPointer) -> Void,
    refused: @escaping (RPCError) -> Void
  ) {
    self.answered = answered
    self.refused = refused
    super.init(ProductsServiceMethods.listProducts, options: options)
  }

  override func requestSize() -> Int { request.count }

  override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    buffer.copyBytes(from: request)
  }

  override func succeeded(_ response: UnsafeRawBufferPointer, trailingMetadata: Metadata) {
    answered(response)
  }

  override func failed(_ error: RPCError) { refused(error) }
}
