public import ProtobufReflection
public import RPC

extension MethodDescriptor {
  /// The method as the runtime knows it.
  public init(_ method: ServiceMethod) {
    let shape: CallShape =
      switch (method.isClientStreaming, method.isServerStreaming) {
      case (false, false): .unary
      case (true, false): .clientStreaming
      case (false, true): .serverStreaming
      case (true, true): .bidirectional
      }
    let idempotency: Idempotency =
      method.hasNoSideEffects ? .noSideEffects : method.isIdempotent ? .idempotent : .unknown
    self.init(
      service: method.service.fullName, method: method.name, shape: shape,
      idempotency: idempotency, carriesCredentials: method.carriesCredentials)
  }
}

extension DynamicMessage {
  /// A response of a method.
  init(_ response: OpaqueMessage, of method: ServiceMethod) throws(RPCError) {
    do {
      try self.init(serialized: response.bytes, as: method.output)
    } catch {
      throw RPCError(
        .internal, "the response is no \(method.output.fullName): \(error)", cause: error,
        phase: .answered)
    }
  }
}
