import ProtobufWire

/// A service of a pool.
public struct ServiceType: Sendable {
  let definition: ServiceDefinition
  let pool: DescriptorPool

  /// The full name: `onside.v1.LoginService`.
  public var fullName: String { definition.fullName }

  /// The methods, in the order of the `.proto` file.
  public var methods: [ServiceMethod] {
    definition.proto.methods.enumerated().compactMap { index, proto in
      ServiceMethod(proto, index: index, service: self)
    }
  }

  /// The method with this name; nil when there is none.
  public func method(named name: String) -> ServiceMethod? {
    methods.first { $0.name == name }
  }
}

/// A method of a service.
public struct ServiceMethod: Sendable {
  let proto: MethodProto
  let index: Int

  /// The service that it belongs to.
  public let service: ServiceType

  /// The type of its requests.
  public let input: MessageType

  /// The type of its responses.
  public let output: MessageType

  let options: KnownOptions

  init?(_ proto: MethodProto, index: Int, service: ServiceType) {
    // The pool has checked all of them.
    guard let input = service.pool.message(named: String(proto.inputType.drop { $0 == "." })),
      let output = service.pool.message(named: String(proto.outputType.drop { $0 == "." }))
    else { return nil }
    self.proto = proto
    self.index = index
    self.service = service
    self.input = input
    self.output = output
    options = (try? KnownOptions(serialized: proto.options)) ?? KnownOptions()
  }

  /// The name within the service: `CreateSession`.
  public var name: String { proto.name }

  /// Many requests.
  public var isClientStreaming: Bool { proto.isClientStreaming }

  /// Many responses.
  public var isServerStreaming: Bool { proto.isServerStreaming }

  /// `idempotency_level`: nothing is changed by a call.
  public var hasNoSideEffects: Bool { options.idempotency == 1 }

  /// `idempotency_level`: a call may run twice.
  public var isIdempotent: Bool { options.idempotency == 1 || options.idempotency == 2 }

  /// `rpc.v1.carries_credentials`: the messages carry secrets.
  public var carriesCredentials: Bool { options.carriesCredentials }
}
