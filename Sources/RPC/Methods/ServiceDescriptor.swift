public import ProtobufWire

/// Names a service and lists its methods, those too that the generated code has no stub for.
public struct ServiceDescriptor: Sendable, Hashable {
  /// The full name: `onside.v1.LoginService`.
  public let name: String

  /// In the order of the `.proto` file.
  public let methods: [MethodDescriptor]

  /// The `.proto` file that defines the service, for reflection; nil: it isn't known.
  public let file: ProtoFile?

  /// Describes a service.
  public init(name: String, methods: [MethodDescriptor], file: ProtoFile? = nil) {
    self.name = name
    self.methods = methods
    self.file = file
  }
}
