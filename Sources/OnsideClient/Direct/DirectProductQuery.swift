import OnsideProto
import ProtobufWire
public import RPC
import Synchronization

/// Asks for products as the user who is signed in, again and again without a task: for programs
/// that are very many users at once, such as a load generator.
///
/// One object makes one call after the other, and allocates nothing for a call. A subclass is told
/// how a call ended, on the loop of its connection.
open class DirectProductQuery: OutgoingCall, @unchecked Sendable {
  /// What is asked for, encoded once for any number of calls.
  public struct Request: Sendable, Hashable {
    /// The message `onside.v1.ListProductsRequest`.
    public let encoded: [UInt8]

    /// - Parameter identifiers: in any order; duplicates count once.
    public init(_ identifiers: [String]) {
      encoded = ListProductsRequest(productIdentifiers: identifiers).serialized()
    }
  }

  /// Who asks.
  public final let client: OnsideClient

  @exclusivity(unchecked) private final var request: Request?

  /// Whose session is in the options, and whose answer is waited for.
  @exclusivity(unchecked) private final var generation: UInt64?

  /// Makes no call yet.
  public init(_ client: OnsideClient) {
    self.client = client
    super.init(ProductsServiceMethods.listProducts)
  }

  /// The service has answered.
  ///
  /// - Parameter response: the message `onside.v1.ListProductsResponse` as it came. The bytes are
  ///   borrowed: gone when this returns. It must not block.
  open func answered(_ response: UnsafeRawBufferPointer) {}

  /// There is no answer: the error is one of those of `OnsideClient.products(_:)`. It must not
  /// block.
  open func refused(_ error: OnsideError) {}

  /// Asks; the object must not have a call under way. What a caller adds to `options` stays there
  /// until the user changes.
  ///
  /// - Throws: `notSignedIn`; `refused` for a session that can't be sent.
  public final func start(_ request: Request) throws(OnsideError) {
    if generation == nil || client.sessionGeneration != generation { try prepare() }
    self.request = request
    client.invoker.start(self)
  }

  /// Takes up the session of the user who is signed in, as `start` does when the user has changed.
  ///
  /// - Throws: As `start`.
  public final func prepare() throws(OnsideError) {
    let (current, generation) = client.state.withLock {
      ($0.machine.current, $0.machine.generation)
    }
    guard case .signedIn(let session) = current else {
      throw OnsideError(.notSignedIn, "this needs a session; log in first")
    }
    options = try client.options(session: session)
    self.generation = generation
  }

  open override func prefetch() { RPC.prefetch(client, bytes: 256) }

  public final override func requestSize() -> Int { request?.encoded.count ?? 0 }

  public final override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    if let request { buffer.copyBytes(from: request.encoded) }
  }

  public final override func succeeded(
    _ response: UnsafeRawBufferPointer, trailingMetadata: Metadata
  ) {
    guard client.sessionGeneration == generation else { return refused(.overtakenAnswer) }
    answered(response)
  }

  public final override func failed(_ error: RPCError) {
    guard client.sessionGeneration == generation else { return refused(.overtakenAnswer) }
    let problem = OnsideError(error)
    if problem.code == .sessionLost, let generation {
      client.state.withLock { $0.machine.lost(in: generation) }
    }
    refused(problem)
  }
}
