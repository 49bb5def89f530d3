/// A service: what generated service protocols refine.
///
/// A type that implements a generated protocol is added to a `MethodRegistry` together with the
/// authorization rules of its methods.
public protocol RPCService: Sendable {
  /// The service's name and methods.
  static var descriptor: ServiceDescriptor { get }

  /// Registers every method. Generated.
  func register(in registry: inout MethodRegistry)
}
