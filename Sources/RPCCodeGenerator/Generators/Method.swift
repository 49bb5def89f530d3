/// A method as the generated code sees it.
struct Method {
  let protoName: String
  /// The identifier in Swift.
  let name: String
  /// The Swift type of the request.
  let input: String
  /// The Swift type of the response.
  let output: String
  /// A case of `RPC.CallShape`.
  let shape: String
  /// A case of `RPC.Idempotency`.
  let idempotency: String
  let carriesCredentials: Bool
  let path: [Int32]

  let hasManyRequests: Bool
  let hasManyResponses: Bool

  /// One message each way.
  var isUnary: Bool { !hasManyRequests && !hasManyResponses }

  init(_ descriptor: MethodDescriptor, path: [Int32], types: SchemaTypes) throws(GenerationError) {
    guard let input = types.messages[descriptor.inputType],
      let output = types.messages[descriptor.outputType]
    else {
      throw GenerationError("method \(descriptor.name): its messages are not in the request")
    }
    protoName = descriptor.name
    name = SwiftName.identifier(SwiftName.lowerCamel(descriptor.name))
    self.input = input.swiftName
    self.output = output.swiftName
    self.path = path
    hasManyRequests = descriptor.isClientStreaming
    hasManyResponses = descriptor.isServerStreaming
    shape =
      switch (descriptor.isClientStreaming, descriptor.isServerStreaming) {
      case (false, false): "unary"
      case (true, false): "clientStreaming"
      case (false, true): "serverStreaming"
      case (true, true): "bidirectional"
      }
    idempotency =
      switch descriptor.options.idempotency {
      case .unknown: "unknown"
      case .noSideEffects: "noSideEffects"
      case .idempotent: "idempotent"
      }
    carriesCredentials = descriptor.options.carriesCredentials
  }
}
