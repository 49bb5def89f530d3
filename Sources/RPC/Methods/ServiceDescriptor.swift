/// Names a service and lists its methods, those too that the generated code has no stub for.
public struct ServiceDescriptor: Sendable, Hashable {
  /// The full name: `onside.v1.LoginService`.
  public let name: String

  /// In the order of the `.proto` file.
  public let methods: [MethodDescriptor]

  /// Describes a service.
  public init(name: String, methods: [MethodDescriptor]) {
    self.name = name
    self.methods = methods
  }
}
