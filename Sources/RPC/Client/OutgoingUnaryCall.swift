public import ProtobufWire

/// A unary call whose outcome is given to a completion, on the loop that it ran on.
///
/// Nothing but the loop's own thread is used for a call that is started on its loop: no task, no
/// hop.
public final class OutgoingUnaryCall<Request: Message, Response: Message>: OutgoingCall,
  @unchecked Sendable
{
  /// What the call ends with.
  public typealias Outcome = Result<ClientResponse<Response>, RPCError>

  /// What is sent. Changed only while the call isn't under way.
  public var request: Request

  private let completion: @Sendable (Outcome) -> Void
  private var plan = SizePlan()

  /// Makes a call, which an invoker has to start.
  ///
  /// - Parameters:
  ///   - method: The method to call.
  ///   - request: What is sent.
  ///   - options: Timeout and metadata.
  ///   - completion: Gets the outcome, on the call's loop; must not block.
  public init(
    _ method: MethodDescriptor, _ request: Request, options: CallOptions = CallOptions(),
    completion: @escaping @Sendable (Outcome) -> Void
  ) {
    self.request = request
    self.completion = completion
    super.init(method, options: options)
  }

  public override func requestSize() -> Int {
    plan = request.sizePlan()
    return plan.total
  }

  public override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    request.encode(into: buffer, plan: plan)
  }

  public override func succeeded(
    _ response: UnsafeRawBufferPointer, trailingMetadata: Metadata
  ) {
    completion(outcome(response, trailingMetadata))
  }

  public override func failed(_ error: RPCError) {
    completion(.failure(error))
  }
}

/// A unary call that a task waits for.
final class AwaitedUnaryCall<Request: Message, Response: Message>: OutgoingCall,
  @unchecked Sendable
{
  typealias Outcome = Result<ClientResponse<Response>, RPCError>

  private let request: Request
  private var plan = SizePlan()
  var continuation: UnsafeContinuation<Outcome, Never>?

  init(_ method: MethodDescriptor, _ request: Request, options: CallOptions) {
    self.request = request
    super.init(method, options: options)
  }

  override func requestSize() -> Int {
    plan = request.sizePlan()
    return plan.total
  }

  override func encodeRequest(into buffer: UnsafeMutableRawBufferPointer) {
    request.encode(into: buffer, plan: plan)
  }

  override func succeeded(_ response: UnsafeRawBufferPointer, trailingMetadata: Metadata) {
    end(outcome(response, trailingMetadata))
  }

  override func failed(_ error: RPCError) {
    end(.failure(error))
  }

  private func end(_ outcome: Outcome) {
    let waiting = continuation
    continuation = nil
    waiting?.resume(returning: outcome)
  }
}

extension OutgoingCall {
  /// Decodes a response.
  func outcome<Response: Message>(
    _ response: UnsafeRawBufferPointer, _ trailingMetadata: Metadata
  ) -> Result<ClientResponse<Response>, RPCError> {
    do throws(WireError) {
      return .success(
        ClientResponse(
          message: try Response(decoding: response), initialMetadata: initialMetadata ?? Metadata(),
          trailingMetadata: trailingMetadata, isCompressed: isResponseCompressed))
    } catch {
      return .failure(
        RPCError(
          .internal, "the response of \(method.path) can't be decoded: \(error)",
          cause: error, phase: .answered))
    }
  }
}
