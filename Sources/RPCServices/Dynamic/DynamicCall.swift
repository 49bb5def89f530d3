public import ProtobufReflection
public import RPC
import Synchronization

/// A call, of any shape, of a method that no code was generated for.
public struct DynamicCall: Sendable {
  /// There are more requests, and the method takes one.
  public struct TooManyRequests: Error, Sendable {}

  /// Gives the next request; nil: there is none any more.
  public typealias Requests = @Sendable () async throws -> DynamicMessage?

  /// Gets the metadata that comes before the responses.
  public typealias MetadataReader = (Metadata) -> Void

  private let invoker: any CallInvoker
  private let method: ServiceMethod
  private let descriptor: MethodDescriptor
  private let options: CallOptions

  /// A call that `invoker` will carry.
  ///
  /// - Parameter options: Timeout and metadata.
  public init(
    of method: ServiceMethod, over invoker: any CallInvoker, options: CallOptions = CallOptions()
  ) {
    self.invoker = invoker
    self.method = method
    self.options = options
    descriptor = MethodDescriptor(method)
  }

  /// Makes the call and waits for its end.
  ///
  /// A method that takes one request gets an empty one when there is none. The requests of other
  /// methods are asked for while responses come in; when the call has ended, nobody waits for a
  /// further one. Cancelling the task cancels the call.
  ///
  /// - Parameters:
  ///   - requests: Gives messages of the method's input type.
  ///   - onMetadata: Gets the server's initial metadata, empty or not, before the responses. nil:
  ///     nobody waits for it.
  ///   - onResponse: Gets each response as it comes.
  /// - Returns: The metadata that came with the status.
  /// - Throws: `RPCError` with what the call ended with; what `requests` throws, which cancels the
  ///   call; `TooManyRequests`.
  @discardableResult
  public func run(
    requests: @escaping Requests, onMetadata: MetadataReader? = nil,
    onResponse: (DynamicMessage) throws -> Void
  ) async throws -> Metadata {
    switch descriptor.shape {
    case .unary:
      let request = try await onlyRequest(requests)
      let response: ClientResponse<OpaqueMessage> = try await invoker.unaryResponse(
        descriptor, request, options: options)
      onMetadata?(response.initialMetadata)
      try onResponse(try DynamicMessage(response.message, of: method))
      return response.trailingMetadata
    case .serverStreaming:
      let request = try await onlyRequest(requests)
      let responses: ResponseStream<OpaqueMessage> = invoker.serverStreaming(
        descriptor, request, options: options)
      return try await take(responses, onMetadata, onResponse)
    case .clientStreaming:
      let call: ClientStreamingCall<OpaqueMessage, OpaqueMessage> = invoker.clientStreaming(
        descriptor, options: options)
      return try await sending(requests, to: call.requests, cancel: call.cancel) {
        if let onMetadata { onMetadata(await call.initialMetadata) }
        try onResponse(try DynamicMessage(try await call.response(), of: method))
        return call.trailingMetadata
      }
    case .bidirectional:
      let call: BidirectionalCall<OpaqueMessage, OpaqueMessage> = invoker.bidirectional(
        descriptor, options: options)
      return try await sending(requests, to: call.requests, cancel: call.cancel) {
        try await take(call.responses, onMetadata, onResponse)
      }
    }
  }

  private func onlyRequest(_ requests: Requests) async throws -> OpaqueMessage {
    guard let request = try await requests() else { return OpaqueMessage() }
    guard try await requests() == nil else { throw TooManyRequests() }
    return OpaqueMessage(request.serialized())
  }

  private func take(
    _ responses: ResponseStream<OpaqueMessage>, _ onMetadata: MetadataReader?,
    _ onResponse: (DynamicMessage) throws -> Void
  ) async throws -> Metadata {
    if let onMetadata { onMetadata(await responses.initialMetadata) }
    for try await response in responses {
      try onResponse(try DynamicMessage(response, of: method))
    }
    return responses.trailingMetadata
  }

  /// Sends the requests while `body` waits for what they are answered with.
  private func sending(
    _ requests: @escaping Requests, to writer: RequestWriter<OpaqueMessage>,
    cancel: @escaping @Sendable () -> Void, _ body: () async throws -> Metadata
  ) async throws -> Metadata {
    let failure = SendingFailure()
    let sender = Task {
      do {
        while let request = try await requests() {
          try await writer.send(OpaqueMessage(request.serialized()))
        }
        writer.finish()
      } catch {
        failure.keep(error)
        cancel()
      }
    }
    // Not awaited: a sender may wait for somebody's next line, which nobody needs any more.
    defer { sender.cancel() }
    do {
      return try await withTaskCancellationHandler(operation: body, onCancel: cancel)
    } catch let error as RPCError where error.code == .cancelled && error.phase != .answered {
      throw failure.error ?? error
    }
  }
}

/// Why requests couldn't be sent.
private final class SendingFailure: Sendable {
  private let kept = Mutex<(any Error)?>(nil)

  func keep(_ error: any Error) { kept.withLock { $0 = error } }

  var error: (any Error)? { kept.withLock { $0 } }
}
