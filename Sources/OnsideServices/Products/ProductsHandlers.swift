import OnsideCatalogue
import OnsideDomain
import OnsideProto
import ProtobufWire
import RPC
import Synchronization

/// The products service.
///
/// Calls are answered from the bytes of the request with bytes of the catalogue, without a message
/// in between.
final class ProductsHandlers: ProductsService {
  private let gate: AppGate

  /// One for each event loop. The lock is for calls in process, which come on any thread.
  private let listers: [ListerBox]

  /// Guards a lister by its lock.
  private final class ListerBox: @unchecked Sendable {
    private let lock = Mutex(())
    private let lister: ProductLister

    init(_ catalogue: CatalogueHolder, maximumIdentifiers: Int) {
      lister = ProductLister(catalogue, maximumIdentifiers: maximumIdentifiers)
    }

    func use<Result>(
      _ body: (ProductLister) throws(RPCError) -> sending Result
    ) throws(RPCError) -> Result {
      try lock.withLock { _ throws(RPCError) in try body(lister) }
    }

    func refresh() { lock.withLock { _ in lister.refresh() } }
  }

  init(
    catalogue: CatalogueHolder, gate: AppGate, loops: Int, maximumIdentifiers: Int
  ) {
    self.gate = gate
    listers = (0..<max(1, loops)).map { _ in
      ListerBox(catalogue, maximumIdentifiers: maximumIdentifiers)
    }
  }

  /// Answers in place. The immediate handler of `ListProducts`.
  func answer(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ sink: inout ResponseSink
  ) throws(RPCError) {
    let box = listers[context.loopIndex % listers.count]
    try box.use { lister throws(RPCError) in
      let size = try plan(request, context, lister)
      sink.write(size: size) { lister.write(into: $0) }
    }
  }

  /// For servers with interceptors, which take messages.
  func listProducts(
    _ request: ListProductsRequest, context: ServerContext
  ) async throws -> ListProductsResponse {
    let box = listers[context.loopIndex % listers.count]
    let bytes = request.serialized()
    let response = try box.use { lister throws(RPCError) in
      try bytes.span.bytes.withUnsafeBytes { bytes throws(RPCError) in
        let size = try plan(bytes, context, lister)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
          lister.write(into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: size))
          count = size
        }
      }
    }
    return try ListProductsResponse(serialized: response)
  }

  /// Lets every loop take the catalogue in use: one that lists nothing would hold the old one until
  /// it does.
  func refresh() {
    for box in listers { box.refresh() }
  }

  /// Reads a request and looks everything up.
  ///
  /// - Returns: The bytes of the response, which the lister writes next.
  /// - Throws: Also RESOURCE_EXHAUSTED for a response that the caller wouldn't take, before any
  ///   memory is taken for it.
  private func plan(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ lister: ProductLister
  ) throws(RPCError) -> Int {
    let size = try responseSize(request, context, lister)
    let limit = context.maximumResponseSize
    guard size <= limit else { throw RPCError(responseSize: size, limit: limit) }
    return size
  }

  private func responseSize(
    _ request: UnsafeRawBufferPointer, _ context: ServerContext, _ lister: ProductLister
  ) throws(RPCError) -> Int {
    let fields: ListingFields
    do throws(ListingError) {
      fields = try lister.read(request)
    } catch {
      throw RPCError(error)
    }
    if let session = context.principal as? Session {
      let place = SalesPlace(
        lister.snapshot, appID: session.appID, storefront: session.storefront)
      return lister.plan(place.listing, for: session.kind)
    }
    let app = try gate.admit(Self.text(fields.appID, in: request), context)
    let hint = try CountryHint.parse(Self.text(fields.countryHint, in: request))
    let place = SalesPlace(lister.snapshot, app: app, hint: hint)
    // Restrictions follow the profile: without one there are none.
    return lister.plan(place.listing, for: .regular)
  }

  private static func text(_ range: Range<Int>?, in request: UnsafeRawBufferPointer) -> String {
    guard let range else { return "" }
    return String(decoding: UnsafeRawBufferPointer(rebasing: request[range]), as: UTF8.self)
  }
}

extension RPCError {
  /// Refuses a call of `ListProducts` whose response would be longer than the caller takes.
  fileprivate init(responseSize size: Int, limit: Int) {
    self.init(
      .resourceExhausted,
      "the list would have \(size) bytes, more than the \(limit) that this client takes in one "
        + "message: ask for fewer product identifiers in a call")
  }

  /// Refuses a call of `ListProducts` as a whole.
  init(_ error: ListingError) {
    switch error {
    case .malformed: self.init(.invalidArgument, error.description, cause: error)
    case .tooManyIdentifiers(let count, let limit):
      self.init(
        .tooManyProductIdentifiers,
        "\(error), or start the server with a larger --max-product-identifiers",
        ["count": String(count), "limit": String(limit)])
    case .invalidIdentifier(let invalid):
      self.init(.productIdentifierInvalid, invalid, .productIdentifier)
    }
  }
}
